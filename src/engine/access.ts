import type { ControlAccess } from '../control/operation.js'
import type { World } from '../control/world.js'
import { type ApiKey, splitIssuedLabel } from '../service/api-key.js'
import type { PlanId } from '../service/plans.js'

/** Signs and verifies the keys that a sandbox issues. `src/transport/http` implements it with Node.js. */
export interface KeySigner {
  /** Returns a signature of 32 hexadecimal digits. */
  sign(plan: PlanId, scenario: string, label: string): string
  /** Whether the signature was made with one of the secrets. */
  verify(plan: PlanId, scenario: string, label: string, signature: string): boolean
}

/** Whether the value of the `Sandbox-Token` header is the wanted token. */
export type TokenCheck = (token: string) => boolean

/** Who may create keys and control worlds. */
export interface AccessSettings {
  /** Signs the keys with a label. Undefined if every key with a label is accepted. */
  readonly signer?: KeySigner | undefined
  /** Who may create keys with `POST /sandbox/keys`: everyone, nobody, or clients with a token. */
  readonly keyIssuing: 'open' | 'off' | TokenCheck
  /** Who may control the world of a key: its clients, nobody, or clients that also have a token. */
  readonly control: 'own' | 'off' | TokenCheck
}

/** The access of a sandbox without further settings: every key is accepted and controls its world. */
export const openAccess: AccessSettings = { keyIssuing: 'open', control: 'own' }

/** Decides which keys a sandbox accepts and what they may control. */
export class Access implements ControlAccess {
  constructor(readonly settings: AccessSettings) {}

  /** Returns the key of a labelled world. The key is signed if the sandbox has a key secret. */
  issueKey(plan: PlanId, scenario: string, label: string): string {
    return formatKey(this.settings.signer, plan, scenario, label)
  }

  /**
   * Returns the label of the world of a key. An issued key has a signature, which is not part of
   * the label: keys of several plans, and of a replaced secret, reach the same world.
   *
   * @returns The label, or undefined if the key has a label without a valid signature.
   */
  readLabel({ plan, scenario, label }: ApiKey): string | undefined {
    const { signer } = this.settings
    if (!signer || label === '') return label
    const issued = splitIssuedLabel(label)
    if (!issued || scenario === undefined || plan === 'revoked') return undefined
    const isValid = signer.verify(plan, scenario, issued.label, issued.signature)
    return isValid ? issued.label : undefined
  }

  /** How to get an issued key, for messages. */
  get howToGetKey(): string {
    return this.settings.keyIssuing === 'off'
      ? 'ask the operator of this sandbox for an issued key'
      : 'POST /sandbox/keys issues a key'
  }

  hidesDetails(world: World): boolean {
    return this.settings.signer !== undefined && isShared(world)
  }

  get masksListedKeys(): boolean {
    return this.settings.signer !== undefined
  }

  mayControl(accountId: string, apiKeys: Readonly<Record<string, PlanId>>): boolean {
    if (!this.settings.signer || Object.hasOwn(apiKeys, accountId)) return true
    return Object.keys(apiKeys).length === 0
  }
}

/** Returns a key of the form `sbx_<plan>_<scenario>_<label>`, with a signature if there is a signer. */
export function formatKey(
  signer: KeySigner | undefined,
  plan: PlanId,
  scenario: string,
  label: string,
): string {
  const key = `sbx_${plan}_${scenario}_${label}`
  return signer ? `${key}-${signer.sign(plan, scenario, label)}` : key
}

/** Whether everyone who knows the form of a key reaches the world. */
export function isShared({ name }: World): boolean {
  return name.label === ''
}

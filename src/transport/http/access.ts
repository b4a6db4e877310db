import type { AccessSettings, TokenCheck } from '../../engine/access.js'
import { isSendable } from '../../service/validation/secret.js'
import { createSigner, describeSecret, isEqual, minimumSecretLength } from './key-signer.js'

/** Who may create keys and control worlds. For servers that other machines can reach. */
export interface AccessOptions {
  /**
   * Secrets of at least 16 characters. With a secret, the sandbox accepts a key with a label only if
   * it was signed with one of them, and clients cannot control the worlds of keys without a label.
   * New keys are signed with the first. Default: none.
   */
  readonly keySecrets?: readonly string[] | undefined
  /**
   * Who may create keys with `POST /sandbox/keys`: `open` for everyone, `off` for nobody, or a token
   * of at least 16 characters that clients send as `Sandbox-Token`. Default: `off` with a secret,
   * and otherwise `open`.
   */
  readonly keyIssuing?: string | undefined
  /**
   * Who may control the world of a key: `own` for its clients, `off` for nobody, or a token of at
   * least 16 characters that they send as `Sandbox-Token`. Default: `own`.
   */
  readonly control?: string | undefined
}

/** The form of a token, for error messages. */
export const tokenForm = `a token of at least ${minimumSecretLength} printable ASCII characters without spaces`

/** Whether a string can be sent as a token, and is hard to guess. */
export function isToken(text: string): boolean {
  return text.length >= minimumSecretLength && isSendable(text)
}

/**
 * Creates the access settings of a sandbox.
 *
 * @throws {TypeError} If an option is invalid. The message contains no secret and no token.
 */
export function createAccess({
  keySecrets = [],
  keyIssuing,
  control = 'own',
}: AccessOptions): AccessSettings {
  if (!Array.isArray(keySecrets)) {
    const found = describeSecret(keySecrets)
    throw new TypeError(`access.keySecrets must be an array of strings, found ${found}`)
  }
  return {
    signer: keySecrets.length === 0 ? undefined : createSigner(keySecrets),
    keyIssuing: toPermission('keyIssuing', keyIssuing ?? defaultKeyIssuing(keySecrets), 'open'),
    control: toPermission('control', control, 'own'),
  }
}

/** Returns who may create keys if the operator does not say so. */
export function defaultKeyIssuing(keySecrets: readonly string[] = []): 'open' | 'off' {
  return keySecrets.length === 0 ? 'open' : 'off'
}

function toPermission<Word extends string>(
  name: 'keyIssuing' | 'control',
  value: string,
  word: Word,
): Word | 'off' | TokenCheck {
  if (value === word) return word
  if (value === 'off') return 'off'
  if (typeof value === 'string' && isToken(value)) return (token) => isEqual(token, value)
  const found = describeSecret(value)
  throw new TypeError(`access.${name} must be "${word}", "off" or ${tokenForm}, found ${found}`)
}

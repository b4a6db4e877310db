import { type PlanId, planIds } from './plans.js'

/** The parts of a key of the form `sbx_<plan>[_<scenario>[_<label>]]`. */
export interface ApiKey {
  readonly plan: PlanId | 'revoked'
  /** Name of the scenario, or several joined with `+`. Default: the initial scenario of the sandbox. */
  readonly scenario: string | undefined
  /** Empty if the key has none. The label of an issued key ends with its expiry and its signature. */
  readonly label: string
}

const label = '[A-Za-z0-9-]{1,64}'
const issued = '(?:\\.(\\d{1,12}))?-([0-9a-f]{32})'
const pattern = new RegExp(
  `^sbx_(${planIds.join('|')}|revoked)(?:_([a-z0-9]+(?:[+-][a-z0-9]+)*)(?:_(${label}(?:${issued})?))?)?$`,
)
const labelPattern = new RegExp(`^${label}$`)
const issuedPattern = new RegExp(`^(${label})${issued}$`)

/** Maximum number of scenarios that a key joins with `+`. */
export const maximumJoined = 3

/** The form of a key, for error messages. */
export const apiKeyForm = `sbx_<plan>[_<scenario>[_<label>]], where <plan> is ${planIds.slice(0, -1).join(', ')} or ${planIds.at(-1)} and <label> has 1 to 64 letters, digits or -`

/** Parses a key. Returns undefined if the key is malformed. */
export function parseApiKey(text: string): ApiKey | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, plan, scenario, label = ''] = match
  return { plan: plan as ApiKey['plan'], scenario, label } // the pattern matches only these plans
}

/** Whether a string can be the label of a key. */
export function isLabel(text: string): boolean {
  return labelPattern.test(text)
}

/** Signs and verifies the keys that a sandbox issues. `src/transport/http` implements it with Node.js. */
export interface KeySigner {
  /** Returns a signature of 32 hexadecimal digits. */
  sign(plan: PlanId, scenario: string, label: string): string
  /** Whether the signature was made with one of the secrets. */
  verify(plan: PlanId, scenario: string, label: string, signature: string): boolean
}

/** Returns a key of the form `sbx_<plan>_<scenario>_<label>`. */
export function formatKey(plan: PlanId, scenario: string, label: string): string {
  return `sbx_${plan}_${scenario}_${label}`
}

/** Returns the expiry of a key in whole seconds, as milliseconds; undefined if it has passed. */
export function toExpiry(ms: number, nowMs: number): number | undefined {
  const wholeMs = Math.floor(ms / 1_000) * 1_000
  return wholeMs > nowMs ? wholeMs : undefined
}

/**
 * Returns a signed key of the form `sbx_<plan>_<scenario>_<label>[.<expiry>]-<signature>`.
 *
 * @param expiresMs Time in milliseconds since the epoch from which the key is rejected, in whole
 * seconds. The signature covers it.
 */
export function issueKey(
  signer: KeySigner,
  plan: PlanId,
  scenario: string,
  label: string,
  expiresMs?: number,
): string {
  const signed = expiresMs === undefined ? label : `${label}.${expiresMs / 1_000}`
  return `${formatKey(plan, scenario, signed)}-${signer.sign(plan, scenario, signed)}`
}

/** The label that names a world, and the time in milliseconds from which a key is rejected. */
export interface KeyLabel {
  readonly label: string
  readonly expiresMs?: number | undefined
}

/**
 * Returns the label of the world of a key: the label of the key without the expiry and the signature
 * of an issued key. Keys of several plans, and of a replaced secret, therefore reach the same world.
 *
 * @param signer Undefined if every label is accepted.
 * @returns Undefined if the key has a label without a valid signature.
 */
export function readLabel(
  signer: KeySigner | undefined,
  { plan, scenario, label }: ApiKey,
): KeyLabel | undefined {
  if (!signer || label === '') return { label }
  const [, name, seconds, signature] = issuedPattern.exec(label) ?? []
  if (!name || !signature || scenario === undefined || plan === 'revoked') return undefined
  const signed = seconds === undefined ? name : `${name}.${seconds}`
  if (!signer.verify(plan, scenario, signed, signature)) return undefined
  return { label: name, expiresMs: seconds === undefined ? undefined : Number(seconds) * 1_000 }
}

/** Masks a key for journals and logs: returns at most its first 12 characters and `…`. */
export function maskApiKey(apiKey: string): string {
  // A key without the prefix may be a real secret, so at most half of it is shown.
  const shown = apiKey.startsWith('sbx_') ? 12 : Math.min(12, Math.floor(apiKey.length / 2))
  return `${apiKey.slice(0, shown)}…`
}

import { getBuiltinModule } from 'node:process'
import type { AccessSettings, TokenCheck } from '../../control/access.js'
import type { KeySigner } from '../../service/api-key.js'
import { isSendable } from '../../service/validation/options.js'

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
   * Who may control the world of a key: `own` for its clients, `off` for nobody, or a token of at least
   * 16 characters that clients send as `Sandbox-Token`. Default: `own`.
   */
  readonly control?: string | undefined
}

/** Minimum length of a secret and of a token. */
const minimumSecretLength = 16

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
  if (!Array.isArray(keySecrets)) throw createError('keySecrets', 'an array of strings', keySecrets)
  return {
    signer: keySecrets.length === 0 ? undefined : createSigner(keySecrets),
    keyIssuing: toPermission('keyIssuing', keyIssuing ?? defaultKeyIssuing(keySecrets), 'open'),
    control: toPermission('control', control, 'own'),
  }
}

/** Returns who may create keys by default. */
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
  throw createError(name, `"${word}", "off" or ${tokenForm}`, value)
}

/** The form of `SECRET[,PREVIOUS]`, for error messages. */
export const keySecretForm = `a secret of at least ${minimumSecretLength} characters, or several separated by commas`

/** Splits `SECRET[,PREVIOUS]`. Returns undefined if a secret is too short. */
export function splitSecrets(text: string): string[] | undefined {
  const secrets = text.split(',')
  return secrets.every(({ length }) => length >= minimumSecretLength) ? secrets : undefined
}

/** The content of a file with secrets, for error messages. */
export const keySecretFileForm = `a text file of at most 64 KiB, with ${keySecretForm} or line breaks, and without lines that begin with #`

/**
 * Creates the signer of issued keys: HMAC-SHA-256, truncated to 128 bits.
 *
 * @param secrets One or more secrets. The first signs; all of them verify.
 * @throws {TypeError} If a secret is too short. The message contains no secret.
 */
export function createSigner(secrets: readonly string[]): KeySigner {
  const wanted = `a string of at least ${minimumSecretLength} characters`
  for (const [index, secret] of secrets.entries()) {
    if (typeof secret === 'string' && secret.length >= minimumSecretLength) continue
    throw createError(`keySecrets[${index}]`, wanted, secret)
  }
  const [first = ''] = secrets
  return {
    sign: (...parts) => toSignature(first, parts),
    verify(plan, scenario, label, signature) {
      const parts = [plan, scenario, label]
      return secrets.some((secret) => isEqual(toSignature(secret, parts), signature))
    },
  }
}

/** Loads the module on first use. A server without a secret or token does not need it. */
function loadCrypto(): typeof import('node:crypto') {
  return getBuiltinModule('node:crypto')
}

/** No part contains a line break, so different parts never have the same text. */
function toSignature(secret: string, parts: readonly string[]): string {
  const hmac = loadCrypto().createHmac('sha256', secret)
  return hmac.update(parts.join('\n')).digest('hex').slice(0, 32)
}

/** Compares two strings in a time that does not depend on their content. */
function isEqual(found: string, wanted: string): boolean {
  return loadCrypto().timingSafeEqual(toDigest(found), toDigest(wanted))
}

function toDigest(text: string): Buffer {
  return loadCrypto().createHash('sha256').update(text).digest()
}

/** Creates an error whose message does not contain the value, which may be a secret. */
function createError(name: string, wanted: string, value: unknown): TypeError {
  const found =
    typeof value === 'string' ? `a string of ${value.length}` : `a value of type ${typeof value}`
  return new TypeError(`access.${name} must be ${wanted}, found ${found}`)
}

import { getBuiltinModule } from 'node:process'
import type { KeySigner } from '../../engine/access.js'

/** Minimum length of a secret and of a token. */
export const minimumSecretLength = 16

/** The form of `SECRET[,PREVIOUS]`, for error messages. */
export const keySecretForm = `a secret of at least ${minimumSecretLength} characters, or several separated by commas`

/** Splits `SECRET[,PREVIOUS]`. Returns undefined if a secret is too short. */
export function splitSecrets(text: string): string[] | undefined {
  const secrets = text.split(',')
  return secrets.every(({ length }) => length >= minimumSecretLength) ? secrets : undefined
}

/**
 * Creates the signer of issued keys: HMAC-SHA-256, truncated to 128 bits.
 *
 * @param secrets The first one signs; all of them verify.
 * @throws {TypeError} If there is no secret, or one is too short. The message contains none.
 */
export function createSigner(secrets: readonly string[]): KeySigner {
  const wanted = `a string of at least ${minimumSecretLength} characters`
  for (const [index, secret] of secrets.entries()) {
    if (typeof secret === 'string' && secret.length >= minimumSecretLength) continue
    const found = describeSecret(secret)
    throw new TypeError(`access.keySecrets[${index}] must be ${wanted}, found ${found}`)
  }
  const [first] = secrets
  if (first === undefined) throw new TypeError('access.keySecrets must have a secret, found none')
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
export function isEqual(found: string, wanted: string): boolean {
  return loadCrypto().timingSafeEqual(toDigest(found), toDigest(wanted))
}

function toDigest(text: string): Buffer {
  return loadCrypto().createHash('sha256').update(text).digest()
}

/** Describes a value that may be a secret, without its content. */
export function describeSecret(value: unknown): string {
  return typeof value === 'string'
    ? `a string of ${value.length}`
    : `a value of type ${typeof value}`
}

/**
 * Checks a key or a token, which is sent in a header. The message does not contain it.
 *
 * @throws {TypeError} If it cannot be sent.
 */
export function checkSecret(name: 'apiKey' | 'token', value: unknown): void {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return
  const kind = typeof value === 'string' ? 'another string' : String(value === null || typeof value)
  const found = value === '' ? 'an empty string' : kind
  throw new TypeError(`${name} must be printable ASCII characters without spaces, found ${found}`)
}

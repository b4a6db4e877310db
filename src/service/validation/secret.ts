/** Whether a key or a token can be sent in a header: printable ASCII characters without spaces. */
export function isSendable(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/**
 * Checks a key or a token, which is sent in a header. The message does not contain it.
 *
 * @throws {TypeError} If it cannot be sent.
 */
export function checkSecret(name: 'apiKey' | 'token', value: unknown): void {
  if (typeof value === 'string' && isSendable(value)) return
  const kind = typeof value === 'string' ? 'another string' : String(value === null || typeof value)
  const found = value === '' ? 'an empty string' : kind
  throw new TypeError(`${name} must be printable ASCII characters without spaces, found ${found}`)
}

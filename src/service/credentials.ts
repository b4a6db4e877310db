const secretName = /authorization|cookie|token|key|secret|signature|password|session/i
const idempotencyKey = /^idempotency[-_]?key$/i

/** Whether the value of a header, query parameter or field with this name is a credential. */
export function isSecret(name: string): boolean {
  return secretName.test(name) && !idempotencyKey.test(name)
}

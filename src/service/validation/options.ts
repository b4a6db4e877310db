import { truncate } from './message.js'
import { suggestName } from './nearest-name.js'
import { describeValue } from './validate.js'

/** Whether the value is not a primitive, and not a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether the value is an object literal, not an array or an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Checks that a value is an object without unknown fields.
 *
 * @param name Name of the value in the message.
 * @throws {TypeError} If it is not an object, or has an unknown field.
 */
export function checkFields(value: unknown, known: readonly string[], name: string): void {
  if (!isObject(value)) {
    throw new TypeError(`${name} must be an object, found ${describeValue(value)}`)
  }
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue
    throw new TypeError(
      `${name} has no field ${JSON.stringify(truncate(field))}${suggestName(field, known)}`,
    )
  }
}

/**
 * Checks that a value is an integer of at least `minimum`.
 *
 * @param name Name of the value in the message.
 * @throws {TypeError} If it is not.
 */
export function checkCount(name: string, value: unknown, minimum: number): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return
  throw new TypeError(`${name} must be an integer from ${minimum}, found ${describeValue(value)}`)
}

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

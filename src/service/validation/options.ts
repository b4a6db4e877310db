import * as z from 'zod/mini'
import { truncate } from './message.js'
import { suggestName } from './nearest-name.js'
import { describeMismatch, describeValue, validate } from './validate.js'

/** Returns a schema for an integer between two inclusive bounds. */
export function toInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER): z.ZodMiniType {
  const upTo = maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`
  const wanted = `an integer from ${minimum}${upTo}`
  return z.int(wanted).check(z.minimum(minimum, wanted), z.maximum(maximum, wanted))
}

/** Schema for a string with at least one character. */
export const nonEmptyString: z.ZodMiniType = z
  .string('a non-empty string')
  .check(z.minLength(1, 'a non-empty string'))

/** Returns the schema of an options object. Every option is optional, and may be undefined. */
export function toOptionsSchema(shape: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  return z.partial(z.strictObject(shape))
}

/**
 * Validates an options object.
 *
 * @param owner Name of the function that the options belong to, for the message.
 * @throws {TypeError} If an option is unknown or invalid. The message lists all of them.
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, owner: string): void {
  const result = validate(schema, options)
  if (result.ok) return
  const sentences = result.mismatches.map((mismatch) => {
    const { path, unknown } = mismatch
    if (!unknown) return describeMismatch(mismatch, `the options of ${owner}`)
    return `${path} is not an option of ${owner}${suggestName(unknown.name, unknown.known)}`
  })
  throw new TypeError(sentences.join('; '))
}

/** Whether the value is an object literal, not an array or an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
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
  if (typeof value !== 'object' || value === null) {
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

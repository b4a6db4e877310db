import * as z from 'zod/mini'
import { Problem } from '../service/errors.js'
import { isPlainObject } from '../service/validation/options.js'
import { readValue } from '../service/validation/validate.js'
import { ScenarioError } from '../world/scenario/error.js'
import { toPlainData } from '../world/scenario/read.js'

/** The fields of a record before validation. `z.object` would silently drop `__proto__`. */
export const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(isPlainObject, {
  error: 'an object',
})

/**
 * Copies the fields of a record as plain JSON data. Applies the limits of scenario files, so that a
 * snapshot of the world is a valid scenario.
 *
 * @param list Scenario field that contains such records.
 * @param whole Name of the value in error messages.
 * @throws {Problem} invalid_field if the value is not an object of JSON data, or exceeds the
 * limits.
 */
export function readFields(
  list: 'pets' | 'orders',
  input: unknown,
  whole: string,
): Readonly<Record<string, unknown>> {
  const fields = readValue(fieldsSchema, input, whole)
  // JSON has no bigints. Every method takes one as an id.
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'bigint' && ['id', 'petId'].includes(name) ? String(value) : value,
  ])
  try {
    const copy = toPlainData(Object.fromEntries(texts), whole, [list, 0])
    return copy as typeof fields // with the same shape
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid_field', error.message)
    throw error
  }
}

/**
 * Merges changes into a record as in a JSON merge patch (RFC 7396): an additional field that is null
 * is removed. A documented field cannot be removed, so that null is an invalid value of it.
 */
export function mergeFields(
  record: object,
  changes: Readonly<Record<string, unknown>>,
  { shape }: { readonly shape: object },
): Readonly<Record<string, unknown>> {
  const isRemoved = (name: string) => changes[name] === null && !Object.hasOwn(shape, name)
  const merged = Object.entries({ ...record, ...changes })
  return Object.fromEntries(merged.filter(([name]) => !isRemoved(name)))
}

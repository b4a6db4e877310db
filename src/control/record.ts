import { z } from 'zod'
import { Problem } from '../contract/errors.js'
import { ScenarioError } from '../scenario/error.js'
import { isPlainObject, toPlainData } from '../scenario/read.js'
import { readValue } from '../validation/validate.js'

/** An int64 as the control API shows it: exact at any size. */
export const int64StateSchema = z
  .union([z.int(), z.string()])
  .describe('An int64: an integer, or past 2^53-1 its decimal digits as a string.')

/** The fields of a record, before they are read: a schema of objects would drop `__proto__`. */
export const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(isPlainObject, {
  error: 'an object',
})

/**
 * The fields of a record as plain data, held against what a scenario may hold in a list of such
 * records, so that the snapshot of a world can be read again.
 *
 * @param list The list of a scenario that the record belongs to.
 * @param whole What the value is called in a message.
 * @throws {Problem} invalid_field
 */
export function readFields(
  list: 'pets' | 'orders',
  input: unknown,
  whole: string,
): Readonly<Record<string, unknown>> {
  const fields = readValue(fieldsSchema, input, whole)
  try {
    const copied = toPlainData({ [list]: [fields] }, whole) as Record<typeof list, [typeof fields]> // a copy has the same shape
    return copied[list][0]
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid_field', error.message)
    throw error
  }
}

import * as z from 'zod/mini'
import { annotate } from './annotate.js'

const minimum = -(2n ** 63n)
const maximum = 2n ** 63n - 1n
const error = 'an int64 (beyond 2^53-1 as a string of digits)'
const canonicalDecimal = /^(0|-?[1-9]\d{0,18})$/

/** An int64 in canonical decimal. The sandbox stores every identifier in this form. */
export type Int64 = string

/** An int64 in JavaScript code: beyond ±(2^53−1) a bigint or a string of digits. */
export type Int64Input = string | number | bigint

/**
 * Returns an id in canonical decimal. Returns a string unchanged, canonical or not.
 *
 * @param name Name of the id in the message.
 * @throws {TypeError} If it is neither a string, nor a safe integer, nor a bigint.
 */
export function readId(name: string, id: Int64Input): Int64 {
  if (typeof id === 'string') return id
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  throw new TypeError(`${name} must be a string, a safe integer or a bigint, found ${String(id)}`)
}

/** Whether a string is an int64 in canonical decimal: no plus sign, no leading zero (A15). */
export function isInt64(text: string): boolean {
  if (!canonicalDecimal.test(text)) return false
  if (text.length < 19) return true
  const number = BigInt(text)
  return number >= minimum && number <= maximum
}

/** An identifier as a scenario file writes it, unchanged. */
export const int64JsonSchema = z.union(
  [
    z.int({ error }),
    z
      .string()
      .check(z.regex(canonicalDecimal, { error, abort: true }), z.refine(isInt64, { error })),
  ],
  { error },
)

/**
 * An identifier in a scenario file or a control request: an integer. Beyond ±(2^53−1) it must be a
 * string of digits, because JSON numbers lose precision there.
 */
export const int64Schema = annotate(
  z.pipe(
    int64JsonSchema,
    z.transform((id): Int64 => String(id)),
  ),
  'An int64: an integer, or beyond 2^53-1 its decimal digits as a string.',
)

/** Returns the identifier as a scenario file writes it. */
export function toInt64Json(id: Int64): number | string {
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : id
}

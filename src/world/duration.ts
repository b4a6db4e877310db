import * as z from 'zod/mini'

/** Milliseconds, or an ISO 8601 duration such as `PT90S`, `P1D` or `-P30D`. */
export type Duration = number | string

const pattern =
  /^(-)?P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** ISO 8601 duration in weeks, days, hours, minutes and seconds. Months have no fixed length. */
export const isoDurationSchema = z.string().check(
  z.regex(pattern, {
    error: 'an ISO 8601 duration in W, D, H, M and S such as "PT90S" or "P1D"',
    abort: true,
  }),
)

/**
 * Returns the milliseconds of a duration.
 *
 * @throws {RangeError} If the value is neither a finite number nor an ISO 8601 duration.
 */
export function toMilliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration)) return duration
  const match = pattern.exec(String(duration))
  if (!match) {
    throw new RangeError(
      `a duration must be milliseconds or an ISO 8601 duration such as "PT90S", found ${JSON.stringify(duration)}`,
    )
  }
  const [, sign, ...amounts] = match
  const span = amounts.reduce(
    (sum, amount, unit) => sum + Number(amount ?? 0) * (unitsMs[unit] ?? 0),
    0,
  )
  return sign ? -span : span
}

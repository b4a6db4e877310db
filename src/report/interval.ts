const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Units of time in milliseconds. */
export const units = { second, minute, hour, day } as const

/** Lengths of an interval in milliseconds. Beyond the last one, whole multiples of it are used. */
export const lengths: readonly number[] = [
  ...[100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day],
]

/**
 * Returns a length with which the time from `startMs` to `endMs` has at most a number of intervals:
 * the first of the lengths that is sufficient, or a multiple of the last one.
 */
export function selectInterval(
  startMs: number,
  endMs: number,
  lengths: readonly number[],
  maximum: number,
): number {
  const fits = (length: number) =>
    Math.floor(endMs / length) - Math.floor(startMs / length) < maximum
  const longest = lengths.at(-1) ?? day
  return lengths.find(fits) ?? longest * Math.ceil((endMs - startMs) / (longest * (maximum - 1)))
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Units of time in milliseconds. */
export const units = { second, minute, hour, day } as const

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

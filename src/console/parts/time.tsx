const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

type Unit = readonly [name: string, ms: number]
const units: readonly Unit[] = [
  ['d', day],
  ['h', hour],
  ['min', minute],
  ['s', second],
]

/** Formats a time in UTC, to the second: `2026-01-31 09:00:00`. */
export function formatTimestamp(time: string | number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** Formats the time of day in UTC, to the millisecond: `09:00:00.000`. */
export function formatExactTime(time: string | number): string {
  return new Date(time).toISOString().slice(11, 23)
}

/** Formats a time in UTC; without the date if `now` has the same. */
export function formatMoment(time: string | number, now?: string | number): string {
  const text = formatTimestamp(time)
  const isSameDay = now !== undefined && text.slice(0, 10) === formatTimestamp(now).slice(0, 10)
  return isSameDay ? text.slice(11) : text
}

/**
 * Formats a duration in its two largest units, rounded up to a second: `42 s`, `4 min 10 s`, `1 h`,
 * `89 d 14 h`. A negative duration is `0 s`.
 */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / second)) * second
  const at = units.findIndex(([, length]) => length <= whole)
  if (at < 0) return '0 s'
  const [larger, smaller] = units.slice(at)
  return [larger && toPart(whole, larger), smaller && toPart(whole % (larger?.[1] ?? 1), smaller)]
    .filter(Boolean)
    .join(' ')
}

/** Formats the number of whole units; returns an empty string for 0. */
function toPart(ms: number, [name, length]: Unit): string {
  const count = Math.floor(ms / length)
  return count === 0 ? '' : `${count} ${name}`
}

/**
 * A time in UTC: `2026-01-31 09:00:00`, or `09:00:00` on the day of `now`. The tooltip has the date
 * in all cases.
 */
export function Time(props: {
  at: string | number
  /** The day whose date is omitted. Default: none. */
  now?: string | number | undefined
  /** Whether the time of day is shown, to the millisecond: `09:00:00.000`. */
  isExact?: boolean
}) {
  const { at, now, isExact = false } = props
  return (
    <time dateTime={new Date(at).toISOString()} title={`${formatTimestamp(at)} UTC`}>
      {isExact ? formatExactTime(at) : formatMoment(at, now)}
    </time>
  )
}

import { formatExactTime, formatMoment, formatTimestamp } from './time.js'

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

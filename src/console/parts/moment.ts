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

/** A moment in UTC as a reader sees it: `2026-01-31 09:00:00`. */
export function formatMoment(moment: string | number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
}

/** The time of day of a moment in UTC: `09:00:00`. */
export function formatTime(moment: string | number): string {
  return formatMoment(moment).slice(11)
}

/** The date of a moment in UTC: `2026-01-31`. */
export function formatDate(moment: string | number): string {
  return formatMoment(moment).slice(0, 10)
}

/** A span in its two largest units: `42 s`, `4 min 10 s`, `1 h`, `89 d 14 h`. */
export function formatSpan(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / second)) * second
  const at = units.findIndex(([, length]) => length <= whole)
  if (at < 0) return '0 s'
  const [larger, smaller] = units.slice(at)
  return [larger && toPart(whole, larger), smaller && toPart(whole % (larger?.[1] ?? 1), smaller)]
    .filter(Boolean)
    .join(' ')
}

/** So many whole units; empty for none. */
function toPart(ms: number, [name, length]: Unit): string {
  const count = Math.floor(ms / length)
  return count === 0 ? '' : `${count} ${name}`
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

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

/** A span in its two largest units: `42 s`, `4 min 10 s`, `23 h 59 min`, `89 d 14 h`. */
export function formatSpan(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms / second)) * second
  if (whole < minute) return `${whole / second} s`
  if (whole < hour) return `${Math.floor(whole / minute)} min ${(whole % minute) / second} s`
  if (whole < day) return `${Math.floor(whole / hour)} h ${Math.floor((whole % hour) / minute)} min`
  return `${Math.floor(whole / day)} d ${Math.floor((whole % day) / hour)} h`
}

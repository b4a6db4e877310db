import { selectInterval, units } from '../../report/interval.js'
import type { JournalEntry } from '../control-types.js'
import { formatCount } from '../parts/count.js'

/** The classes of statuses, in the order in which a bar shows them. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx', 'broken'] as const

export type StatusClass = (typeof statusClasses)[number]

/** The entries of one interval of a timeline. */
export interface TimelineBar {
  /** Milliseconds since the epoch. */
  readonly startMs: number
  readonly total: number
  readonly counts: Readonly<Record<StatusClass, number>>
}

/** Numbers of entries in intervals of the same length. */
export interface Timeline {
  /** Oldest first, including empty ones. Empty without entries. */
  readonly bars: readonly TimelineBar[]
  /** Length of an interval, a multiple of a second. */
  readonly stepMs: number
  /** Largest total of a bar. */
  readonly highest: number
}

const { second, minute, hour, day } = units

/** Lengths of an interval. A larger one is a multiple of the last. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
]

export const maximumBars = 40

/** Counts entries by their time and the class of their status. */
export function toTimeline(entries: readonly JournalEntry[]): Timeline {
  // The clock of a world may run backwards.
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  const times = entries.map(({ at }) => {
    const ms = Date.parse(at)
    if (ms < first) first = ms
    if (ms > last) last = ms
    return ms
  })
  if (times.length === 0) return { bars: [], stepMs: second, highest: 0 }
  const stepMs = selectInterval(first, last, steps, maximumBars)
  const start = Math.floor(first / stepMs)
  const bars = Array.from({ length: Math.floor(last / stepMs) - start + 1 }, (_, at) =>
    createBar((start + at) * stepMs),
  )
  for (const [at, ms] of times.entries()) {
    const bar = bars[Math.floor(ms / stepMs) - start]
    const entry = entries[at]
    if (!bar || !entry) continue
    bar.total += 1
    bar.counts[toClass(entry.response.status)] += 1
  }
  return { bars, stepMs, highest: Math.max(...bars.map(({ total }) => total)) }
}

type MutableBar = { -readonly [Name in keyof TimelineBar]: TimelineBar[Name] } & {
  counts: Record<StatusClass, number>
}

function createBar(startMs: number): MutableBar {
  return { startMs, total: 0, counts: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, broken: 0 } }
}

function toClass(status: number): StatusClass {
  if (status === 0) return 'broken'
  if (status >= 500) return '5xx'
  if (status >= 400) return '4xx'
  return status >= 300 ? '3xx' : '2xx'
}

/** States what a bar shows: `3 requests: 2 with 2xx, 1 with 4xx`. */
export function describeBar({ total, counts }: TimelineBar): string {
  const parts = statusClasses.flatMap((name) =>
    counts[name] === 0 ? [] : [`${counts[name].toLocaleString('en')} ${toWords(name)}`],
  )
  return `${formatCount(total, 'requests')}: ${parts.join(', ')}`
}

function toWords(name: StatusClass): string {
  return name === 'broken' ? 'broken connections' : `with ${name}`
}

import { toTimestamp } from '../contract/timestamp.js'
import type { RequestFact } from '../world/journal/fact-reader.js'
import type { Timeline, TimelineInterval } from './report.js'

/** Maximum number of intervals. */
const maximumIntervals = 120

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Lengths of an interval in milliseconds. Beyond the last one, whole multiples of it are used. */
const lengths = [
  ...[100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day],
]

/** Returns a length with which the whole time has at most `maximumIntervals` intervals. */
function selectInterval(startMs: number, endMs: number): number {
  const fits = (length: number) =>
    Math.floor(endMs / length) - Math.floor(startMs / length) < maximumIntervals
  const days = Math.ceil((endMs - startMs) / day / (maximumIntervals - 1))
  return lengths.find(fits) ?? days * day
}

type Kind = keyof TimelineInterval

function toKind(request: RequestFact): Kind {
  const { status } = request
  if (status === 0 || request.isAborted || request.has('lost')) return 'broken'
  if (status === 429) return 'rateLimited'
  if (status >= 500) return 'serverErrors'
  return status >= 400 ? 'clientErrors' : 'succeeded'
}

/** Counts responses over time. */
export class TimelineCounter {
  readonly #startMs: number
  readonly #intervals: Record<Kind, number>[]
  readonly intervalMs: number

  /** @param startMs Time of the first response, in milliseconds since the epoch. */
  constructor(startMs: number, endMs: number) {
    this.intervalMs = selectInterval(startMs, endMs)
    this.#startMs = Math.floor(startMs / this.intervalMs) * this.intervalMs
    const length = Math.floor((endMs - this.#startMs) / this.intervalMs) + 1
    this.#intervals = Array.from({ length }, createInterval)
  }

  add(request: RequestFact): void {
    const interval = this.#intervals[Math.floor((request.atMs - this.#startMs) / this.intervalMs)]
    if (interval) interval[toKind(request)] += 1
  }

  toTimeline(): Timeline {
    const { intervalMs } = this
    return { startAt: toTimestamp(this.#startMs), intervalMs, intervals: this.#intervals }
  }
}

function createInterval(): Record<Kind, number> {
  return { succeeded: 0, clientErrors: 0, rateLimited: 0, serverErrors: 0, broken: 0 }
}

/** The timeline of no request. */
export const emptyTimeline: Timeline = { startAt: null, intervalMs: second, intervals: [] }

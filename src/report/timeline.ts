import { toTimestamp } from '../service/timestamp.js'
import type { RequestFact } from '../world/journal/facts.js'
import { lengths, selectInterval, units } from './interval.js'
import type { Timeline, TimelineInterval } from './report.js'

/** Maximum number of intervals. */
const maximumIntervals = 120

type Kind = keyof TimelineInterval

/** The part of a request that the timeline needs. */
interface TimedRequest extends Pick<RequestFact, 'status' | 'atMs'> {
  readonly traits: { readonly aborted?: boolean; readonly lost?: boolean }
}

function toKind({ status, traits }: TimedRequest): Kind {
  if (status === 0 || traits.aborted || traits.lost) return 'broken'
  if (status === 429) return 'rateLimited'
  if (status >= 500) return 'serverErrors'
  return status >= 400 ? 'clientErrors' : 'succeeded'
}

/** Counts responses over time. */
export class TimelineCounter {
  readonly #startMs: number
  readonly #intervals: Record<Kind, number>[]
  readonly #intervalMs: number

  /**
   * @param startMs Time of the first response, in milliseconds since the epoch.
   * @param allowed Lengths of an interval.
   */
  constructor(startMs: number, endMs: number, allowed = lengths, maximum = maximumIntervals) {
    const intervalMs = selectInterval(startMs, endMs, allowed, maximum)
    this.#intervalMs = intervalMs
    this.#startMs = Math.floor(startMs / intervalMs) * intervalMs
    const length = Math.floor((endMs - this.#startMs) / intervalMs) + 1
    this.#intervals = Array.from({ length }, createInterval)
  }

  add(request: TimedRequest): void {
    const interval = this.#intervals[Math.floor((request.atMs - this.#startMs) / this.#intervalMs)]
    if (interval) interval[toKind(request)] += 1
  }

  toTimeline(): Timeline {
    const startAt = toTimestamp(this.#startMs)
    return { startAt, intervalMs: this.#intervalMs, intervals: this.#intervals }
  }
}

function createInterval(): Record<Kind, number> {
  return { succeeded: 0, clientErrors: 0, rateLimited: 0, serverErrors: 0, broken: 0 }
}

/** The timeline without requests. */
export const emptyTimeline: Timeline = { startAt: null, intervalMs: units.second, intervals: [] }

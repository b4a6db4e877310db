import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import {
  hadResponse,
  hasEnded,
  isOnConnection,
  isRetryable,
  toElapsedMs,
  toName,
  toSeconds,
} from '../requests.js'
import { defineRule } from '../rule.js'

/** Inaccuracy of timers. */
const timerMs = 50
/** Number of series of one request that are followed at the same time. */
const maximumSeries = 100
/** Time after which a request is not a retry of the previous one. */
const seriesMs = 600_000
/** A delay that need not grow further. */
const longDelayMs = 30_000
/** A delay has grown by this factor. */
const growth = 1.2
/** Delays that vary by this factor, and by some milliseconds more, do not grow. */
const variation = 1.5
const variationMs = 10
/** The factor for a series of only two delays, which may be random. */
const equality = 1.03

/** Successive attempts of one request that failed. */
interface Series {
  last: RequestFact
  /** Delays that Retry-After did not determine, in milliseconds. */
  readonly delays: number[]
}

export const backOff = defineRule({
  id: 'back-off',
  title: 'Waits longer after each failure',
  severity: 'error',
  examines:
    'Delays between the attempts of a request that failed at least three times (429, 408, 5xx or no response), each within ten minutes. Delays that Retry-After determined do not count: they are at most 50 ms shorter than Retry-After, or longer. Attempts are a series if they are in process, use one connection, or each use a new connection after the previous one has ended; at most 100 series of one request are followed at the same time. The delays grow if each is at least 1.2 times the previous one, or 30 s. They do not grow if none is longer than 1.5 times an earlier one and 10 ms (with only two delays: 1.03 times). Other series have no result.',
  fix: 'Double the delay with each attempt, for example 1, 2, 4 and 8 seconds, and add a random part.',
  source: 'spec §8 rule 2',
  finding: {
    kept: (kept) => `the delays of ${toCount(kept, 'series', 'series')} of retries grew`,
    broken: (violations, kept) =>
      `the delays of ${violations} of ${toCount(violations + kept, 'series', 'series')} of retries did not grow`,
    unseen: 'no series of retries without Retry-After shows whether the delays grow',
  },
  examine(findings) {
    const open = new Map<string, Series[]>()
    const judge = ({ last, delays }: Series) => {
      const observe = () => `${toName(last)} was retried after ${list(delays)}`
      if (delays.length < 2) return
      if (isConstant(delays)) findings.violate(last, observe)
      else if (isGrowing(delays)) findings.keep(last, observe)
    }
    return {
      see(request) {
        const all = open.get(request.text) ?? []
        const series = findSeries(all, request)
        const delayMs = series ? toElapsedMs(request, series.last) : Infinity
        if (series && delayMs < seriesMs && !isGoverned(series.last, delayMs)) {
          series.delays.push(delayMs)
        }
        if (series && delayMs < seriesMs && isRetryable(request)) series.last = request
        else {
          if (series) judge(series)
          const others = all.filter((each) => each !== series)
          if (isRetryable(request)) others.push({ last: request, delays: [] })
          open.set(request.text, others.slice(-maximumSeries))
        }
      },
      end() {
        for (const all of open.values()) all.forEach(judge)
      },
    }
  },
})

/** Returns the series that an attempt continues. */
function findSeries(all: readonly Series[], request: RequestFact): Series | undefined {
  const known = all.filter(({ last }) => hadResponse(request, last))
  return (
    known.find(({ last }) => isOnConnection(request, last)) ??
    known.find(({ last }) => hasEnded(request, last))
  )
}

/** Whether Retry-After determined a delay. */
function isGoverned({ retryAfterSeconds }: RequestFact, delayMs: number): boolean {
  return retryAfterSeconds !== undefined && delayMs >= retryAfterSeconds * 1_000 - timerMs
}

function isGrowing(delays: readonly number[]): boolean {
  return delays.every((delay, at) => {
    const before = delays[at - 1]
    return before === undefined || delay >= Math.min(longDelayMs, before * growth)
  })
}

function isConstant(delays: readonly number[]): boolean {
  if (delays.every((delay) => delay >= longDelayMs)) return false
  const factor = delays.length === 2 ? equality : variation
  let shortest = Infinity
  return delays.every((delay) => {
    shortest = Math.min(shortest, delay)
    return delay <= shortest * factor + variationMs
  })
}

const shownDelays = 8

/** Formats delays: `1 s, 2 s and 4 s`. */
function list(delays: readonly number[]): string {
  const shown = delays.slice(0, shownDelays).map(toSeconds)
  if (delays.length > shownDelays) return `${shown.join(', ')} and so on`
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

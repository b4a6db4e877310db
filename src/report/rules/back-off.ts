import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isRepetition, isRetryable, toName, toRetryAtMs, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time after which a request is not a retry of the one before. */
const seriesMs = 600_000
/** A delay that need not grow further. */
const longDelayMs = 30_000

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
    'Delays between the attempts of a request that failed at least three times (429, 408, 5xx or no response), except delays that Retry-After determined.',
  fix: 'Double the delay with each attempt, for example 1, 2, 4 and 8 seconds, and add a random part.',
  source: 'spec §8 rule 2',
  finding: {
    kept: (kept) => `the delays of ${toCount(kept, 'series', 'series')} of retries grew`,
    broken: (violations, kept) =>
      `the delays of ${violations} of ${toCount(violations + kept, 'series', 'series')} of retries did not grow`,
    unseen: 'no request was retried twice without Retry-After',
  },
  examine(findings) {
    const open = new Map<string, Series>()
    const judged: { readonly series: Series; readonly isConstant: boolean }[] = []
    const close = (text: string, series: Series) => {
      open.delete(text)
      if (series.delays.length >= 2) judged.push({ series, isConstant: isConstant(series.delays) })
    }
    return {
      see(request) {
        const { text } = request
        const series = open.get(text)
        const isFailed = isRetryable(request)
        if (!series) {
          if (isFailed) open.set(text, { last: request, delays: [] })
          return
        }
        if (!isRepetition(request, series.last)) return
        const delayMs = Math.max(0, request.arrivedAtMs - series.last.atMs)
        const isGoverned = request.arrivedAtMs >= (toRetryAtMs(series.last) ?? Infinity) - 50
        if (delayMs < seriesMs && !isGoverned) series.delays.push(delayMs)
        if (!isFailed || delayMs >= seriesMs) close(text, series)
        if (!isFailed) return
        if (delayMs >= seriesMs) open.set(text, { last: request, delays: [] })
        else series.last = request
      },
      end() {
        for (const [text, series] of open) close(text, series)
        const constant = judged.filter((each) => each.isConstant)
        // The random delays of a single series may happen to be equal.
        const isBroken = 2 * constant.length >= judged.length
        for (const each of judged) {
          const { last, delays } = each.series
          const observe = () => `${toName(last)} was retried after ${list(delays)}`
          if (isBroken && each.isConstant) findings.violate(last, observe)
          else findings.keep(last, observe)
        }
      },
    }
  },
})

/** Whether delays do not grow. Allows for random parts, and for a maximum delay. */
function isConstant(delays: readonly number[]): boolean {
  const least = delays.reduce((found, delay) => Math.min(found, delay), Infinity)
  const most = delays.reduce((found, delay) => Math.max(found, delay), 0)
  if (least >= longDelayMs) return false
  const [factor, addedMs] = delays.length === 2 ? [1.03, 10] : [1.15, 20]
  if (most <= least * factor + addedMs) return true
  if (delays.length < 6) return false
  const half = Math.floor(delays.length / 2)
  return mean(delays.slice(-half)) <= 1.1 * mean(delays.slice(0, half))
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

const shownDelays = 8

/** Formats delays: `1 s, 2 s and 4 s`. */
function list(delays: readonly number[]): string {
  const shown = delays.slice(0, shownDelays).map(toSeconds)
  if (delays.length > shownDelays) return `${shown.join(', ')} and so on`
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, isRetryable, toElapsedMs, toName, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time after which a client should abort a request. */
const patienceMs = 30_000
/** Number of failed attempts after which a client should stop. */
const maximumAttempts = 10
/** Interval from which further attempts are acceptable. */
const acceptableMs = 60_000
/** Number of failed attempts from which stopping is a decision. */
const severalAttempts = 3

/** Successive attempts that failed. */
interface Series {
  last: RequestFact
  attempts: number
  /** Whether the client may have sent some attempts before it had the response to others. */
  isUnclear: boolean
}

export const givesUp = defineRule({
  id: 'gives-up',
  title: 'Gives up in time',
  severity: 'warning',
  examines:
    'Responses that take 30 s or longer, for which a client should not wait, and more than ten failed attempts of a request, each within a minute after the client had the previous response. Attempts by all parts of the client count. A client has given up if it sends nothing for a minute after 3 to 10 attempts, or aborts a request before 30 s.',
  fix: 'Set a timeout (AbortSignal.timeout), and stop after a few attempts.',
  source: 'RFC 9110 §9.2.2, §15.6',
  finding: {
    kept: (kept) => `the client gave up ${toCount(kept, 'requests')} in time`,
    broken: (violations) =>
      `the client should have given up ${toCount(violations, 'requests')} earlier`,
    unseen: 'no response took long, and no request failed several times',
  },
  examine(findings, { nowMs }) {
    const failed = new Map<string, Series>()
    const checkWait = (request: RequestFact) => {
      const waited = toSeconds(request.waitedMs)
      if (request.waitedMs >= patienceMs) {
        findings.violate(request, () => `waited ${waited} for the response to ${toName(request)}`)
      } else if (request.traits.aborted) {
        findings.keep(request, () => `aborted ${toName(request)} after ${waited}`)
      }
    }
    const close = (text: string, { last, attempts, isUnclear }: Series) => {
      failed.delete(text)
      if (isUnclear || attempts < severalAttempts || attempts > maximumAttempts) return
      findings.keep(last, () => `stopped after ${attempts} failed attempts of ${toName(last)}`)
    }
    const checkAttempt = (request: RequestFact) => {
      const { text } = request
      const series = failed.get(text)
      if (series && !hadResponse(request, series.last)) {
        series.isUnclear = true
        return
      }
      if (series && toElapsedMs(request, series.last) >= acceptableMs) {
        close(text, series)
      } else if (series) {
        if (!isRetryable(request)) failed.delete(text)
        else {
          series.last = request
          series.attempts += 1
          if (series.attempts !== maximumAttempts + 1) return
          findings.violate(
            request,
            () => `${toName(request)} failed ${series.attempts} times in a row`,
          )
        }
        return
      }
      if (isRetryable(request)) failed.set(text, { last: request, attempts: 1, isUnclear: false })
    }
    return {
      see(request) {
        checkWait(request)
        checkAttempt(request)
      },
      end() {
        for (const [text, series] of failed) {
          if (nowMs - series.last.atMs >= acceptableMs) close(text, series)
        }
      },
    }
  },
})

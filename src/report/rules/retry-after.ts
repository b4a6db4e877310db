import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import {
  isLater,
  isRateLimited,
  isRepetition,
  toName,
  toRetryAtMs,
  toSeconds,
} from '../requests.js'
import { defineRule } from '../rule.js'

/** Inaccuracy of timers. */
const toleranceMs = 50
/** Retry-After is in whole seconds. */
const roundingMs = 1_000

export const retryAfter = defineRule({
  id: 'retry-after',
  title: 'Waits as long as Retry-After says',
  severity: 'error',
  examines:
    'Requests after a response with Retry-After: the same request, and after a rejection by the rate limit every other one that is rejected too. Requests that may have been in flight do not count.',
  fix: 'Read the Retry-After header, and send nothing with this key until so many seconds have passed.',
  source: 'spec §8 rule 2, RFC 9110 §10.2.3',
  finding: {
    kept: (kept) =>
      `${toCount(kept, 'responses')} with Retry-After, and the client waited each time`,
    broken: (violations, kept) =>
      `${violations} of ${toCount(violations + kept, 'requests')} came before Retry-After had passed`,
    unseen: 'no response with Retry-After was followed by a request',
  },
  examine(findings, { nowMs }) {
    /** The last response with Retry-After to each request. */
    const waits = new Map<string, RequestFact>()
    /** The first rejection since the last admitted request, and until when it applies. */
    let limit: { readonly first: RequestFact; untilMs: number } | undefined

    const checkSame = (request: RequestFact, before: RequestFact) => {
      const earlyMs = (toRetryAtMs(before) ?? 0) - request.arrivedAtMs
      const isAdmitted = isRateLimited(before) && !isRateLimited(request)
      waits.delete(request.text)
      // Retry-After is rounded up. A test can also lift the limit.
      if (isAdmitted && earlyMs > roundingMs) return
      const isEarly = earlyMs > (isAdmitted ? roundingMs : toleranceMs)
      const observe = () => describeRetry(request, before)
      if (isEarly) findings.violate(request, observe)
      else findings.keep(request, observe)
    }
    const checkOther = (request: RequestFact, { first, untilMs }: NonNullable<typeof limit>) => {
      const isEarly = request.arrivedAtMs < untilMs - toleranceMs
      if (!isEarly) {
        findings.keep(request, () => `sent ${toName(request)} when Retry-After had passed`)
      } else if (isRateLimited(request) && isLater(request, first)) {
        const waitedMs = request.arrivedAtMs - first.atMs
        findings.violate(
          request,
          () =>
            `sent ${toName(request)} ${toSeconds(waitedMs)} after a rejection, although Retry-After was ${first.retryAfterSeconds} s`,
        )
      }
    }
    return {
      see(request) {
        const before = waits.get(request.text)
        if (before && isRepetition(request, before)) checkSame(request, before)
        else if (!before && limit) checkOther(request, limit)
        if (limit && (request.arrivedAtMs >= limit.untilMs || !isRejected(request))) {
          if (request.traits.metered) limit = undefined
        }
        const retryAtMs = toRetryAtMs(request)
        if (retryAtMs === undefined) return
        waits.set(request.text, request)
        if (!isRateLimited(request)) return
        if (limit) limit.untilMs = retryAtMs
        else limit = { first: request, untilMs: retryAtMs }
      },
      end() {
        for (const request of waits.values()) {
          if ((toRetryAtMs(request) ?? Infinity) > nowMs) continue
          findings.keep(request, () => `did not repeat ${toName(request)}`)
        }
      },
    }
  },
})

function isRejected(request: RequestFact): boolean {
  return request.status === 429
}

function describeRetry(request: RequestFact, before: RequestFact): string {
  const waited = toSeconds(request.arrivedAtMs - before.atMs)
  return `retried ${toName(request)} after ${waited}, Retry-After was ${before.retryAfterSeconds} s`
}

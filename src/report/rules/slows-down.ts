import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, isAfter, isRateLimited, toElapsedMs, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Share of the limit that counts as few requests. */
const fewShare = 0.2

export const slowsDown = defineRule({
  id: 'slows-down',
  title: 'Slows down before the limit',
  severity: 'warning',
  examines:
    'Windows in which a response stated that at most 20 % of the requests were left (X-RateLimit-Remaining). A window breaks the rule if the rate limit rejected a request that the client sent when it had this response. A window has ended if a later response states more requests.',
  fix: 'Read X-RateLimit-Remaining, and spread the remaining requests over the time until X-RateLimit-Reset.',
  source: 'spec §8',
  finding: {
    kept: (kept) => `${toCount(kept, 'windows')} with few requests left ended without a rejection`,
    broken: (violations, kept) =>
      `in ${violations} of ${toCount(violations + kept, 'windows')} with few requests left, the client reached the limit`,
    unseen: 'no window with few requests left has ended, and none rejected a request afterwards',
  },
  examine(findings) {
    /** The first response of the window that stated few requests. */
    let warning: RequestFact | undefined
    let last: RequestFact | undefined
    /** Whether the window has rejected a request. */
    let isOver = false
    const endWindow = () => {
      const stated = warning
      if (stated) findings.keep(stated, () => `X-RateLimit-Remaining was ${stated.remaining}`)
      warning = undefined
      isOver = false
    }
    return {
      see(request) {
        if (!request.traits.metered) return
        if (isRateLimited(request)) {
          const stated = warning
          warning = undefined
          isOver = true
          if (!stated || !hadResponse(request, stated)) return
          const since = toSeconds(toElapsedMs(request, stated))
          findings.violate(
            request,
            () =>
              `reached the limit ${since} after X-RateLimit-Remaining was ${stated.remaining} of ${stated.limit}`,
          )
          return
        }
        if (request.traits.simulated && request.status === 429) return
        // Delayed responses state the requests that were left earlier.
        if (last && !isAfter(request, last) && request.remaining > last.remaining) return
        if (last && request.remaining > last.remaining) endWindow()
        last = request
        if (!isOver && request.remaining <= request.limit * fewShare) warning ??= request
      },
    }
  },
})

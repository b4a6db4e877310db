import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isRateLimited, isRepetition, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Share of the limit that is few requests. */
const fewShare = 0.2

export const slowsDown = defineRule({
  id: 'slows-down',
  title: 'Slows down before the limit',
  severity: 'warning',
  examines:
    'Windows in which a response stated that at most 20 % of the requests were left (X-RateLimit-Remaining), and whether the rate limit rejected a request afterwards.',
  fix: 'Read X-RateLimit-Remaining, and spread the remaining requests over the time until X-RateLimit-Reset.',
  source: 'spec §8',
  finding: {
    kept: (kept) => `${toCount(kept, 'windows')} with few requests left ended without a rejection`,
    broken: (violations, kept) =>
      `in ${violations} of ${toCount(violations + kept, 'windows')} with few requests left, the client reached the limit`,
    unseen: 'at least 20 % of the requests were always left',
  },
  examine(findings) {
    /** The first response of the window that stated few requests. */
    let warning: RequestFact | undefined
    let remaining = 0
    const keep = () => {
      const stated = warning
      if (stated) findings.keep(stated, () => `X-RateLimit-Remaining was ${stated.remaining}`)
      warning = undefined
    }
    return {
      see(request) {
        if (!request.traits.metered) return
        if (isRateLimited(request)) {
          const stated = warning
          if (!stated || !isRepetition(request, stated)) return
          warning = undefined
          const since = toSeconds(request.arrivedAtMs - stated.atMs)
          findings.violate(
            request,
            () =>
              `reached the limit ${since} after X-RateLimit-Remaining was ${stated.remaining} of ${stated.limit}`,
          )
          return
        }
        if (request.traits.simulated && request.status === 429) return
        if (request.remaining > remaining) keep()
        remaining = request.remaining
        if (remaining <= request.limit * fewShare) warning ??= request
      },
      end: keep,
    }
  },
})

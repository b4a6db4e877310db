import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isRateLimited } from '../requests.js'
import { defineRule } from '../rule.js'

export const noBan = defineRule({
  id: 'no-ban',
  title: 'Is never banned',
  severity: 'error',
  examines:
    'Bans that begin after the rate limit has rejected requests. A ban that a scenario or the control API has set does not count.',
  fix: 'Stop sending after a 429 until Retry-After has passed, in all parts of the client that share the key, and limit the number of requests at the same time.',
  source: 'spec §8 rule 3',
  finding: {
    kept: () => 'requests were rejected with 429, and the key was not banned',
    broken: (violations) => `the key was banned ${toCount(violations, 'times')}`,
    unseen: 'the rate limit rejected no request',
  },
  examine(findings) {
    /** Number of rejections since the last request that was admitted. */
    let rejections = 0
    let isBanned = false
    let last: RequestFact | undefined
    return {
      see(request) {
        if (!request.traits.metered) return
        if (!isRateLimited(request)) {
          rejections = 0
          isBanned = false
        } else if (request.code !== 'api_key_banned') {
          rejections += 1
          isBanned = false
          last = request
        } else if (!isBanned) {
          isBanned = true
          const before = rejections
          if (before === 0) return
          findings.violate(
            request,
            () =>
              `the key was banned for ${request.retryAfterSeconds} s with rejection ${before + 1}`,
          )
        }
      },
      end() {
        if (last) findings.keep(last, () => 'rejected with 429, without a ban')
      },
    }
  },
})

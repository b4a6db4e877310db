import { Problem } from '../service/errors.js'
import { plans } from '../service/plans.js'
import { formatSecond } from '../service/timestamp.js'
import type { RateLimitWindow } from '../world/quota/account.js'
import { describeRejections } from '../world/quota/ban-risk.js'
import type { Exchange } from './exchange.js'
import type { KeyHolder } from './host.js'

/**
 * Charges the request to both windows of its key (spec §8). A rejected request is not charged.
 *
 * @throws {Problem} rate_limit_exceeded or api_key_banned.
 */
export function meter(exchange: Exchange, holder: KeyHolder): void {
  const now = holder.world.clock.now()
  exchange.arrivedAtMs = now
  const account = holder.world.quota.account(holder.accountId)
  const status = account.charge(now)
  const { rejection, limit, remaining, resetsAtMs, retryAtMs } = status
  const window = account[status.window]
  exchange.rateLimit = { limit, remaining, resetsAtMs }
  if (rejection === undefined) {
    exchange.explain(describeWindow(window, window.used))
    return
  }

  exchange.retryAfterSeconds = Math.max(1, Math.ceil((retryAtMs - now) / 1000))
  const wait = `retry after ${exchange.retryAfterSeconds} seconds`
  if (rejection === 'api_key_banned') {
    const until = formatSecond(account.bannedUntilMs(now) ?? now)
    exchange.explain(`ban: the key is banned until ${until}`)
    throw new Problem(rejection, `the API key is banned until ${until}; ${wait}`)
  }
  exchange.explain(describeWindow(window, limit + 1))
  exchange.explain(describeRejections(window.rejected, account.banRule))
  const plan = plans[holder.plan].title
  const quota = `${limit} requests per ${window.name} of plan ${plan}`
  throw new Problem(rejection, `the limit of ${quota} is used up; ${wait}`)
}

function describeWindow(window: RateLimitWindow, count: number): string {
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [window.name, 'window:', toOrdinal(count), window.describeLimit()].join(' ')
}

function toOrdinal(count: number): string {
  const tens = count % 100
  if (tens >= 11 && tens <= 13) return `${count}th`
  return `${count}${['th', 'st', 'nd', 'rd'][count % 10] ?? 'th'}`
}

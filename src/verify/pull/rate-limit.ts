import { type PlanId, planIds, plans } from '../../service/plans.js'
import { windowLengthsMs } from '../../world/quota/settings.js'
import { type RateLimit, readRateLimit, readRetryAfter } from '../rate-limit.js'
import type { Received } from './received.js'

/**
 * Returns the time until the limit resets, in milliseconds, by the clock of the server. Negative if
 * it has passed.
 */
export function toResetMs({ resetSeconds }: RateLimit, { atMs }: Received): number {
  return resetSeconds * 1000 - atMs
}

/**
 * Returns the time to wait before the next request, in milliseconds. After a 429, at least as long as
 * `Retry-After` says, and at least a second.
 */
export function toWaitMs(received: Received): number {
  const rateLimit = readRateLimit(received)
  const resetMs = rateLimit && toResetMs(rateLimit, received)
  const untilReset = rateLimit?.remaining === 0 ? Math.max(resetMs ?? 0, 1000) : 0
  if (received.status !== 429) return untilReset
  const retryAfter = readRetryAfter(received, received.atMs / 1000)
  const retryAfterMs = retryAfter === undefined ? undefined : retryAfter * 1000
  return Math.max(untilReset, retryAfterMs ?? resetMs ?? windowLengthsMs.minute, 1000)
}

/** The limits that the headers of all responses show. */
export interface SeenLimits {
  readonly requestsPerMinute?: number
  readonly requestsPerDay?: number
}

/**
 * Returns the limits that the headers of the responses show. A reset within a minute belongs to the
 * minute window, a later one to the day window (A06).
 */
export function findLimits(responses: Iterable<Received>): SeenLimits {
  let seen: SeenLimits = {}
  for (const received of responses) {
    const found = readRateLimit(received)
    if (!found || found.limit === 0) continue
    const resetMs = toResetMs(found, received)
    if (resetMs > windowLengthsMs.day + toleranceMs) continue
    const field = isMinute(found.limit, resetMs) ? 'requestsPerMinute' : 'requestsPerDay'
    seen = { ...seen, [field]: found.limit }
  }
  return seen
}

/** The reset is stated in whole seconds, rounded up, and the date rounded down. */
const toleranceMs = 2000

function isMinute(limit: number, resetMs: number): boolean {
  if (resetMs > windowLengthsMs.minute + toleranceMs) return false
  const all = planIds.map((plan) => plans[plan])
  const isDayLimit = all.some((plan) => plan.requestsPerDay === limit)
  return !isDayLimit || all.some((plan) => plan.requestsPerMinute === limit)
}

/** Returns the plan of spec §8 with these limits; undefined if none has them. */
export function findPlan(seen: SeenLimits): PlanId | undefined {
  const fields = Object.entries(seen) as [keyof SeenLimits, number][] // the keys of the interface
  if (fields.length === 0) return undefined
  return planIds.find((plan) => fields.every(([field, limit]) => plans[plan][field] === limit))
}

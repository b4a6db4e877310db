import { type PlanId, planIds, plans } from '../../contract/plans.js'
import { windowLengthsMs } from '../../world/quota/schema.js'
import { parseDate, type Received } from './received.js'

/** What the headers of a response say about the limit. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  /** Time until the reset, in milliseconds, by the clock of the server. */
  readonly resetsInMs: number
}

/** Returns the rate limit of a response; undefined if its headers do not state one. */
export function readRateLimit({ headers, atMs }: Received): RateLimit | undefined {
  const limit = readCount(headers['x-ratelimit-limit'])
  const remaining = readCount(headers['x-ratelimit-remaining'])
  const reset = readCount(headers['x-ratelimit-reset'])
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  return { limit, remaining, resetsInMs: reset * 1000 - atMs }
}

/**
 * Returns the time to wait before the next request, in milliseconds. After a 429, at least as long as
 * `Retry-After` says, and at least a second.
 */
export function toWaitMs(received: Received): number {
  const rateLimit = readRateLimit(received)
  const untilReset =
    rateLimit && rateLimit.remaining === 0 ? Math.max(rateLimit.resetsInMs, 1000) : 0
  if (received.status !== 429) return untilReset
  const retryAfterMs = readRetryAfterMs(received)
  const fallbackMs = rateLimit?.resetsInMs ?? windowLengthsMs.minute
  return Math.max(untilReset, retryAfterMs ?? fallbackMs, 1000)
}

/** `Retry-After` has seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfterMs({ headers, atMs }: Received): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  const seconds = readCount(value)
  if (seconds !== undefined) return seconds * 1000
  const dateMs = parseDate(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - atMs)
}

/** Reads a whole number below 2^53; also of a header whose value is hostile. */
function readCount(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,15}$/.test(value)) return undefined
  return Number(value)
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
    if (found.resetsInMs > windowLengthsMs.day + toleranceMs) continue
    const field = isMinute(found) ? 'requestsPerMinute' : 'requestsPerDay'
    seen = { ...seen, [field]: found.limit }
  }
  return seen
}

/** The reset is stated in whole seconds, rounded up, and the date rounded down. */
const toleranceMs = 2000

function isMinute({ limit, resetsInMs }: RateLimit): boolean {
  if (resetsInMs > windowLengthsMs.minute + toleranceMs) return false
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

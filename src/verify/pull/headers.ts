import { type PlanId, planIds, plans } from '../../service/plans.js'
import { toTimestamp } from '../../service/timestamp.js'
import { truncate } from '../../service/validation/message.js'
import { validate } from '../../service/validation/validate.js'
import { deprecationSchema } from '../../world/deprecation.js'
import { windowLengthsMs } from '../../world/quota/settings.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { parseDate, readRateLimit } from '../rate-limit.js'
import type { Received } from './deployment.js'
import type { Notes } from './records.js'

/** The reset is stated in whole seconds, rounded up, and the date rounded down. */
const toleranceMs = 2000

/**
 * Returns the plan whose limits the headers of the responses show, and the plans of the scenario, if
 * no plan of spec §8 has these limits. A reset within a minute belongs to the minute window, a later
 * one to the day window (A06).
 */
export function readLimits(
  responses: readonly Received[],
  notes: Notes,
): { readonly plan: PlanId; readonly plans?: Scenario['plans'] } {
  const seen: { requestsPerMinute?: number; requestsPerDay?: number } = {}
  for (const received of responses) {
    const { limit = 0, resetSeconds = 0 } = readRateLimit(received) ?? {}
    const resetMs = resetSeconds * 1000 - received.atMs - toleranceMs
    if (limit === 0 || resetMs > windowLengthsMs.day) continue
    const isMinute = resetMs <= windowLengthsMs.minute && !isDayLimit(limit)
    seen[isMinute ? 'requestsPerMinute' : 'requestsPerDay'] = limit
  }
  const limits = Object.entries(seen) as [keyof typeof seen, number][] // the keys of the object
  const known = planIds.find((id) => limits.every(([field, limit]) => plans[id][field] === limit))
  const plan = known ?? 'enterprise'
  for (const window of ['Minute', 'Day'] as const) {
    if (seen[`requestsPer${window}`] !== undefined) continue
    const used = plans[plan][`requestsPer${window}`]
    const unit = window.toLowerCase()
    notes.addUnknown(`the headers do not show the limit per ${unit}; the sandbox uses ${used}`)
  }
  return known ? { plan } : { plan, plans: { enterprise: seen } }
}

/** Whether a number is the limit of a day, and of no minute, in spec §8. */
function isDayLimit(limit: number): boolean {
  const has = (field: 'requestsPerMinute' | 'requestsPerDay') =>
    planIds.some((id) => plans[id][field] === limit)
  return has('requestsPerDay') && !has('requestsPerMinute')
}

const dayMs = 86_400_000

/**
 * Returns the deprecation of GET /pets/{petId}, from the headers of its latest response. The sunset
 * is not before the deprecation (RFC 9745, section 4).
 *
 * @param startMs Start of the world, in milliseconds since the epoch.
 */
export function readDeprecation(
  pets: readonly Received[],
  startMs: number,
  notes: Notes,
): NonNullable<Scenario['deprecation']> {
  const headers = pets.at(-1)?.headers
  if (!headers) {
    notes.addUnknown('the dates of the deprecation, without a response of GET /pets/{petId}')
    return {}
  }
  const reject = (name: string, wanted: string) => {
    const value = headers.get(name.toLowerCase())
    const found = value === undefined ? 'none' : JSON.stringify(truncate(value))
    notes.add(`GET /pets/{petId}: the ${name} header must have ${wanted}, found ${found}`)
    return undefined
  }
  const readTime = (name: string, text: string | undefined) => {
    const ms = parseDate(text ?? '')
    return Number.isNaN(ms) ? reject(name, 'a date') : ms
  }
  const seconds = /^@(-?\d{1,12})$/.exec(headers.get('deprecation') ?? '')?.[1]
  const date = seconds === undefined ? headers.get('deprecation') : toTimestamp(+seconds * 1000)
  const givenMs = readTime('Deprecation', date)
  const isServed = pets.some(({ status }) => status === 200)
  const goneMs = !isServed && pets.some(({ status }) => status === 410) ? startMs : undefined
  const sunsetMs = readTime('Sunset', headers.get('sunset')) ?? goneMs
  // The expression takes quadratic time.
  const links = headers.get('link')?.slice(0, 2_000) ?? ''
  const link = /<([^>]*)>[^,]*rel="?deprecation"?/.exec(links)?.[1]
  const hasLink = link !== undefined && validate(deprecationSchema, { link }).ok
  if (!hasLink) reject('Link', 'a target with rel="deprecation"')
  const latestMs = sunsetMs ?? Math.max(givenMs ?? startMs, startMs) + 90 * dayMs
  const earliestMs = Math.min(givenMs ?? startMs, latestMs)
  if (givenMs !== undefined && givenMs > latestMs) {
    notes.add('GET /pets/{petId}: the sunset is before the deprecation; the sandbox sends it twice')
  }
  const isKnown = givenMs !== undefined || sunsetMs !== undefined
  return {
    ...(isKnown && { deprecatedAt: toTimestamp(earliestMs), sunsetAt: toTimestamp(latestMs) }),
    ...(hasLink && { link }),
    ...(isServed && latestMs <= startMs && { afterSunset: 'serve' as const }),
  }
}

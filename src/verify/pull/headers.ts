import { isDeepStrictEqual } from 'node:util'
import { type PlanId, planIds, plans } from '../../service/plans.js'
import { toTimestamp } from '../../service/timestamp.js'
import { truncate } from '../../service/validation/message.js'
import { validate } from '../../service/validation/validate.js'
import { deprecationSchema } from '../../world/deprecation.js'
import { windowLengthsMs } from '../../world/quota/settings.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { parseDate, readRateLimit } from '../headers.js'
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
    seen[resetMs <= windowLengthsMs.minute ? 'requestsPerMinute' : 'requestsPerDay'] = limit
  }
  const known = planIds.find((id) => isDeepStrictEqual({ ...plans[id], ...seen }, plans[id]))
  const plan = known ?? 'enterprise'
  for (const [window, field] of [
    ['minute', 'requestsPerMinute'],
    ['day', 'requestsPerDay'],
  ] as const) {
    if (seen[field] !== undefined) continue
    const used = `the sandbox uses ${plans[plan][field]}`
    notes.addUnknown(`the headers do not show the limit per ${window}; ${used}`)
  }
  return known ? { plan } : { plan, plans: { enterprise: seen } }
}

/**
 * Returns the deprecation of GET /pets/{petId}, from the headers of its latest response.
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
  /** Returns what a header states, or adds a note. */
  const read = <Value>(name: string, wanted: string, parse: (text: string) => Value) => {
    const text = headers.get(name.toLowerCase())
    const value = parse(text ?? '')
    if (value !== undefined) return value
    const found = text === undefined ? 'none' : JSON.stringify(truncate(text))
    notes.add(`GET /pets/{petId}: the ${name} header must have ${wanted}, found ${found}`)
    return undefined
  }
  const deprecatedMs = read('Deprecation', 'a date', toDeprecation)
  const isServed = pets.some(({ status }) => status === 200)
  const isGone = !isServed && pets.some(({ status }) => status === 410)
  const sunsetMs = read('Sunset', 'a date', toTime) ?? (isGone ? startMs : undefined)
  const link = read('Link', 'a target with rel="deprecation"', toLink)
  // The sunset is not before the deprecation (RFC 9745, section 4).
  const earliestMs = Math.min(deprecatedMs ?? Infinity, sunsetMs ?? Infinity)
  if (deprecatedMs !== undefined && earliestMs < deprecatedMs) {
    notes.add('GET /pets/{petId}: the sunset is before the deprecation; the sandbox sends it twice')
  }
  return {
    ...(deprecatedMs !== undefined && { deprecatedAt: toTimestamp(earliestMs) }),
    ...(sunsetMs !== undefined && { sunsetAt: toTimestamp(sunsetMs) }),
    ...(link !== undefined && { link }),
    ...(isServed && sunsetMs !== undefined && sunsetMs <= startMs && { afterSunset: 'serve' }),
  }
}

/** Returns the milliseconds of a `Deprecation` header, which has seconds since the epoch or a date. */
function toDeprecation(text: string): number | undefined {
  const seconds = /^@(-?\d{1,12})$/.exec(text)?.[1]
  return toTime(seconds === undefined ? text : toTimestamp(+seconds * 1000))
}

function toTime(text: string): number | undefined {
  const seconds = parseDate(text)
  return seconds && seconds * 1000
}

function toLink(text: string): string | undefined {
  // The expression takes quadratic time.
  const link = /<([^>]*)>[^,]*rel="?deprecation"?/.exec(text.slice(0, 2_000))?.[1]
  return link !== undefined && validate(deprecationSchema, { link }).ok ? link : undefined
}

import { type PlanId, plans } from '../service/plans.js'
import type { Exchange } from './check.js'
import { readDate, readRateLimit } from './rate-limit.js'

/** Tolerance for the rounding of Date and of the other time, in seconds. */
const roundingSeconds = 1

/**
 * Whether a time is in a range that starts and ends a number of seconds after the Date of its
 * response; undefined without a Date. The service may have read its clock when the request started.
 *
 * @param time Seconds since the epoch.
 */
export function isInRange(
  time: number,
  exchange: Exchange,
  [start, end]: readonly [number, number],
): boolean | undefined {
  const date = readDate(exchange)
  if (date === undefined) return undefined
  const seconds = time - date
  return (
    seconds >= start - roundingSeconds - exchange.elapsedSeconds && seconds <= end + roundingSeconds
  )
}

/** The range of a time that is not in the future. */
export const past = [-Infinity, 0] as const

/** Returns the seconds of the longest window that the limit of a response may have (spec, section 8). */
export function toWindowSeconds(exchange: Exchange, plan: PlanId | undefined): number {
  const { credential = 'own' } = exchange.request
  const limit = readRateLimit(exchange)?.limit
  const isMinute = plan && credential === 'own' && limit === plans[plan].requestsPerMinute
  return isMinute ? 60 : 86_400
}

/** Returns the seconds since the epoch of an HTTP date (RFC 9110, section 5.6.7). */
export function readHttpDate(text: string): number | undefined {
  const isForm = /^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/.test(text)
  return isForm ? toSeconds(text) : undefined
}

const iso8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d)(?::?(\d\d(?:[.,]\d+)?))?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** A timestamp in ISO 8601. */
export interface Timestamp {
  /** Seconds since the epoch; undefined without an offset from UTC. */
  readonly seconds: number | undefined
}

/** Reads a date with a time in ISO 8601, in the extended or the basic format. */
export function readIso8601(text: string): Timestamp | undefined {
  const match = iso8601.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', offset] = match
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second.replace(',', '.')}`
  if (toSeconds(`${local}Z`) === undefined) return undefined
  if (offset === undefined) return { seconds: undefined }
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  return { seconds: toSeconds(`${local}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`) }
}

function toSeconds(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms / 1000
}

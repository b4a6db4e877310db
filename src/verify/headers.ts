import { type PlanId, plans } from '../service/plans.js'
import { toPlainLine, truncate } from '../service/validation/message.js'
import type { Exchange } from './request.js'

/** The parts of a response for reading its headers. Names are in lower case. */
interface WithHeaders {
  readonly headers: ReadonlyMap<string, string>
}

/** The limit of the key in the headers of a response. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  /** Seconds since the epoch. */
  readonly resetSeconds: number
}

/** Returns the rate limit of a response; undefined if a header is missing or not a whole number. */
export function readRateLimit({ headers }: WithHeaders): RateLimit | undefined {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    readWhole(headers.get(`x-ratelimit-${name}`)),
  )
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined
  return { limit, remaining, resetSeconds }
}

/** Returns the number that a header has; undefined if it is not a whole number from 0. */
export function readWhole(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Returns the time of the service in seconds since the epoch; undefined without a valid Date. */
export function readDate({ headers }: WithHeaders): number | undefined {
  return parseDate(headers.get('date'))
}

/**
 * Returns the seconds of `Retry-After`, which states seconds or a date (RFC 9110, section 10.2.3);
 * undefined for any other value, or for a date without a Date header.
 */
export function readRetryAfter(response: WithHeaders): number | undefined {
  const value = response.headers.get('retry-after')
  const seconds = readWhole(value)
  if (seconds !== undefined) return seconds
  const [at, now] = [parseHttpDate(value), readDate(response)]
  return at === undefined || now === undefined ? undefined : Math.max(0, at - now)
}

/** Describes a rejection: `429 with Retry-After: 60`. */
export function describeRejection({ headers }: WithHeaders): string {
  const value = headers.get('retry-after')
  return `429 ${value === undefined ? 'without Retry-After' : `with Retry-After: ${toPlainLine(truncate(value))}`}`
}

/**
 * Parses the date of a header, or ISO 8601, to seconds since the epoch. Returns undefined for anything
 * else, even if `Date.parse` accepts it, such as `-1`, and for dates that a scenario cannot have.
 */
export function parseDate(text = ''): number | undefined {
  if (!/^([A-Za-z]{3,9},? |\d{4}-\d\d-\d\d)/.test(text)) return undefined
  const ms = Date.parse(text)
  return ms >= Date.UTC(1000, 0) && ms < Date.UTC(9000, 0) ? ms / 1000 : undefined
}

/** Like {@link parseDate}, for the form of RFC 9110, section 5.6.7, that a server must send. */
export function parseHttpDate(text = ''): number | undefined {
  return /^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/.test(text) ? parseDate(text) : undefined
}

/** Parses a `Deprecation` header, which has seconds since the epoch (RFC 9745) or an HTTP date. */
export function parseDeprecation(text = ''): number | undefined {
  const [, seconds] = /^@(\d{1,11})$/.exec(text) ?? []
  return seconds === undefined ? parseHttpDate(text) : Number(seconds)
}

const iso8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d)(?::?(\d\d(?:[.,]\d+)?))?(Z|[+-]\d\d(?::?\d\d)?)?$/

/**
 * Reads a date with a time in ISO 8601, in the extended or the basic format. Returns seconds since the
 * epoch; undefined seconds without an offset from UTC.
 */
export function readIso8601(text: string): { readonly seconds: number | undefined } | undefined {
  const match = iso8601.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', offset] = match
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second.replace(',', '.')}`
  if (parseDate(`${local}Z`) === undefined) return undefined
  if (offset === undefined) return { seconds: undefined }
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  return { seconds: parseDate(`${local}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`) }
}

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
  const earliest = date + start - roundingSeconds - exchange.elapsedSeconds
  return time >= earliest && time <= date + end + roundingSeconds
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

/** Formats a number of seconds: `42 s`, `3 min`, `5 h`. */
export function formatSeconds(number: number): string {
  const seconds = Math.max(0, Math.ceil(number))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}

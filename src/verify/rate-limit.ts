import { toPlainLine, truncate } from '../service/validation/message.js'

/** A response, as far as its headers are read. Names are in lower case. */
interface WithHeaders {
  readonly headers: ReadonlyMap<string, string>
}

/** What the headers of a response state about the limit of the key. */
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
  const ms = parseDate(headers.get('date') ?? '')
  return Number.isNaN(ms) ? undefined : ms / 1000
}

/**
 * Returns the seconds of `Retry-After`, which has seconds or a date (RFC 9110, section 10.2.3);
 * undefined if it has neither.
 *
 * @param now Time of the service in seconds since the epoch. Default: that of the Date header.
 */
export function readRetryAfter(
  response: WithHeaders,
  now: number | undefined = readDate(response),
): number | undefined {
  const value = response.headers.get('retry-after')
  const seconds = readWhole(value)
  if (seconds !== undefined) return seconds
  const at = parseDate(value ?? '') / 1000
  return Number.isNaN(at) || now === undefined ? undefined : Math.max(0, at - now)
}

/** Describes a rejection: `429 with Retry-After: 60`. */
export function describeRejection({ headers }: WithHeaders): string {
  const value = headers.get('retry-after')
  return `429 ${value === undefined ? 'without Retry-After' : `with Retry-After: ${toPlainLine(truncate(value))}`}`
}

/**
 * Parses the date of a header, or ISO 8601, to milliseconds since the epoch. Returns NaN for anything
 * else, which `Date.parse` may accept, such as `-1`, and for dates that no scenario can state.
 */
export function parseDate(text: string): number {
  if (!/^([A-Za-z]{3,9},? |\d{4}-\d\d-\d\d)/.test(text)) return Number.NaN
  const ms = Date.parse(text)
  return ms >= Date.UTC(1000, 0) && ms < Date.UTC(9000, 0) ? ms : Number.NaN
}

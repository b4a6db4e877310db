import type { Exchange } from './check.js'

/** What the headers of a response state about the limit of the key. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  /** Seconds since the epoch. */
  readonly resetSeconds: number
}

/** Returns the rate limit of a response; undefined if a header is missing or not a whole number. */
export function readRateLimit({ headers }: Pick<Exchange, 'headers'>): RateLimit | undefined {
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
export function readDate({ headers }: Pick<Exchange, 'headers'>): number | undefined {
  const ms = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(ms) ? undefined : ms / 1000
}

/** Returns the seconds of `Retry-After`, which has seconds or a date; undefined if it has neither. */
export function readRetryAfter(exchange: Pick<Exchange, 'headers'>): number | undefined {
  const value = exchange.headers.get('retry-after')
  const seconds = readWhole(value)
  if (seconds !== undefined) return seconds
  const [at, now] = [Date.parse(value ?? '') / 1000, readDate(exchange)]
  return Number.isNaN(at) || now === undefined ? undefined : Math.max(0, at - now)
}

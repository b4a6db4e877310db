/** The rate limit as the last response described it. */
export interface RateLimit {
  readonly limit: number
  /** Requests left in the current window. */
  readonly remaining: number
  readonly resetsAt: Date
}

/** Returns the rate limit. Undefined if the response is not from the service. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const reset = headers.get('X-RateLimit-Reset')
  if (reset === null) return undefined
  return {
    limit: Number(headers.get('X-RateLimit-Limit')),
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    resetsAt: new Date(Number(reset) * 1000),
  }
}

/** Returns the `Retry-After` header, which contains seconds or a date, in milliseconds from now. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) return seconds * 1000
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs
}

/** The deprecation of an operation. */
export interface Deprecation {
  readonly operation: string
  readonly deprecatedAt: Date
  /** When the operation ends. */
  readonly sunsetAt: Date | undefined
}

/** Returns the deprecation of an operation (RFC 9745, RFC 8594). Undefined if it has none. */
export function readDeprecation(operation: string, headers: Headers): Deprecation | undefined {
  const deprecation = headers.get('Deprecation')
  if (deprecation === null) return undefined
  const sunset = headers.get('Sunset')
  return {
    operation,
    deprecatedAt: new Date(Number(deprecation.slice(1)) * 1000),
    sunsetAt: sunset === null ? undefined : new Date(sunset),
  }
}

import type { RequestFact } from '../world/journal/facts.js'

/** Time in which an identical request may have been sent before the client had the response. */
const inFlightMs = 10
/** The same for other requests, which a client sends concurrently more often. */
const concurrentMs = 1_000

/** Whether an identical request was sent after the client had received a response. */
export function isRepetition(request: RequestFact, earlier: RequestFact): boolean {
  return request.traits.repeated === true || request.arrivedAtMs > earlier.atMs + inFlightMs
}

/** Whether a request was certainly sent after the client had received a response. */
export function isLater(request: RequestFact, earlier: RequestFact): boolean {
  return request.arrivedAtMs > earlier.atMs + concurrentMs
}

/** Whether the response, or its absence, is a reason to send the request again later. */
export function isRetryable(request: RequestFact): boolean {
  const { status, traits } = request
  return status === 0 || status === 408 || status === 429 || status >= 500 || traits.lost === true
}

/** Whether the rate limit rejected the request: no fault or preference of the client. */
export function isRateLimited(request: RequestFact): boolean {
  const { status, traits } = request
  return status === 429 && traits.metered === true && !traits.simulated
}

/** Time at which the client may send the request again. Undefined without `Retry-After`. */
export function toRetryAtMs({ atMs, retryAfterSeconds }: RequestFact): number | undefined {
  return retryAfterSeconds === undefined ? undefined : atMs + retryAfterSeconds * 1_000
}

/** The operation, for messages. */
export function toName({ operation, method }: RequestFact): string {
  return operation ?? `a ${method === '' ? '' : `${method} `}request that matches no operation`
}

/** Formats a duration: `0.2 s`. */
export function toSeconds(ms: number): string {
  return `${Math.round(Math.max(0, ms) / 100) / 10} s`
}

/** `was` or `were`. */
export function was(number: number): string {
  return number === 1 ? 'was' : 'were'
}

import type { RequestFact } from '../world/journal/facts.js'

/** Time after which a client has certainly received the response to an earlier request. */
const inFlightMs = 1_000

/**
 * Whether the client certainly knew the response to an earlier request, or its absence, when it sent a
 * request: in process, on the same connection, after the end of the earlier connection, or after more
 * than a second.
 */
export function hadResponse(request: RequestFact, earlier: RequestFact): boolean {
  if (!isAfter(request, earlier)) return false
  if (isOnConnection(request, earlier) || hasEnded(request, earlier)) return true
  return toRealMs(request, earlier) > inFlightMs
}

/** Whether a request arrived after the response to an earlier request was sent or lost. */
export function isAfter(request: RequestFact, earlier: RequestFact): boolean {
  return earlier.id <= request.afterId
}

/** Whether both used the same connection. All requests in process count as one connection. */
export function isOnConnection(request: RequestFact, earlier: RequestFact): boolean {
  return request.connection?.number === earlier.connection?.number
}

/** Whether the connection of an earlier request had ended when a request arrived. */
export function hasEnded({ arrival, connection }: RequestFact, earlier: RequestFact): boolean {
  const { ended, server } = earlier.connection ?? {}
  if (ended === undefined || arrival === undefined) return false
  return server === connection?.server && ended < arrival
}

/**
 * Milliseconds from a response to the arrival of a later request, on the clock of the world or of the
 * machine, whichever is longer, because the clock of a world can be frozen.
 */
export function toElapsedMs(request: RequestFact, earlier: RequestFact): number {
  return Math.max(0, request.arrivedAtMs - earlier.atMs, toRealMs(request, earlier))
}

function toRealMs(request: RequestFact, earlier: RequestFact): number {
  return request.realAtMs - request.waitedMs - earlier.realAtMs
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

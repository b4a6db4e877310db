import { createInternalProblem, type ErrorBody, Problem } from '../service/errors.js'
import { documentedHeaders, requestIdHeader } from '../service/headers.js'
import { JsonText } from '../service/json-text.js'
import { toDeprecationHeaders } from '../world/deprecation.js'
import { addEntry } from './entry.js'
import { ConnectionReset, ErrorResponse, type Exchange, type RateLimit } from './exchange.js'
import { type ApiResponse, RequestAborted } from './message.js'
import { serviceRouter } from './route.js'

/** Headers of every response: prevent caching and MIME type sniffing. */
const commonHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

/** Headers of every response of the service: allow pages of any origin to read it. */
const serviceHeaders = [
  ...commonHeaders,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  [...documentedHeaders, 'Date'].join(', '),
]

const preflightHeaders = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  // The wildcard does not include Authorization (Fetch standard, CORS protocol).
  'Access-Control-Allow-Headers',
  'Authorization, *',
  'Access-Control-Max-Age',
  '600',
]

/** Closes the connection. */
const noResponse: ApiResponse = {
  status: 0,
  headers: [],
  body: undefined,
  fault: { type: 'reset' },
}

/** Adds the headers to a response, applies a truncation and records the response. */
export function finish(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
): ApiResponse {
  if (exchange.losesResponse) return recordResponse(exchange, noResponse)
  const headers = toHeaders(exchange, status, body)
  const bytes = body && exchange.truncate?.(body.bytes)
  return recordResponse(exchange, {
    status,
    headers,
    body,
    ...(bytes && { fault: { type: 'truncate', bytes } }),
  })
}

/** Converts an error to a response, and records it. */
export function toErrorResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof ConnectionReset) return recordResponse(exchange, noResponse)
  if (error instanceof RequestAborted) {
    exchange.isAborted = true
    exchange.isLate = false
    exchange.explanation.push('aborted by the client before the response')
    return recordResponse(exchange, noResponse)
  }
  if (error instanceof ErrorResponse) return finishWithError(exchange, error.body)
  if (error instanceof Problem) {
    exchange.isUnrecorded = isUnavailable(error)
    exchange.retryAfterSeconds ??= error.retryAfterSeconds
    if (error.code === 'sandbox_capacity') exchange.sandbox.rejections.notify(error)
    return finishWithError(exchange, error.toBody())
  }
  exchange.sandbox.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

/** Whether an error is that the store cannot be reached. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'sandbox_unavailable'
}

function finishWithError(exchange: Exchange, body: ErrorBody): ApiResponse {
  exchange.explanation.push(`rejected with ${body.status} ${body.code}: ${body.message}`)
  exchange.code = body.code
  return finish(exchange, body.status, JsonText.of(body))
}

/**
 * Records a response of the service, unless it is delayed: it is then recorded after the delay.
 * Responses of the control API are not recorded.
 */
export function recordResponse(exchange: Exchange, response: ApiResponse): ApiResponse {
  if (!exchange.isService || exchange.isLate) return response
  return addEntry(exchange, response)
}

/**
 * Returns the headers of a response: name, value, name, value. `Date` is the time of the world, so
 * that a client can compute the time until `X-RateLimit-Reset`.
 */
export function toHeaders(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
): string[] {
  const { request, route, world, holder, isService, retryAfterSeconds } = exchange
  const headers = (isService ? serviceHeaders : commonHeaders).slice()
  headers.push('Date', world.clock.toHttpDate())
  if (body) {
    headers.push('Content-Type', 'application/json', 'Content-Length', String(body.byteLength))
  }
  if (isService) headers.push(...toRateLimitHeaders(exchange).flat())
  else {
    headers.push(requestIdHeader, exchange.identifyRequest(0))
    if (holder) headers.push('Sandbox-World-Generation', String(holder.world.generation))
  }
  if (route.endpoint?.type === 'service' && route.endpoint.definition.deprecated) {
    headers.push(...toDeprecationHeaders(world.deprecation, request.publicRoot))
  }
  const { preferenceApplied, preferredStatus = status } = exchange
  if (preferenceApplied !== '' && preferredStatus === status) {
    headers.push('Preference-Applied', preferenceApplied)
  }
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', String(retryAfterSeconds))
  if (status === 401) headers.push('WWW-Authenticate', toChallenge(exchange.code))
  const allow =
    status === 405 && isService
      ? serviceRouter.route(request.address, '', request.path).allow
      : route.allow
  if (allow.length > 0) headers.push('Allow', allow.join(', '))
  if (isService && request.method === 'OPTIONS') headers.push(...preflightHeaders)
  return headers
}

/** Returns the three rate-limit headers. */
export function toRateLimitHeaders(exchange: Exchange): [name: string, value: string][] {
  const { limit, remaining, resetsAtMs } = exchange.rateLimit ?? peekRateLimit(exchange)
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    // A Unix timestamp of clients has no sign, but a world can be in a year before 1970.
    ['X-RateLimit-Reset', String(Math.max(0, Math.ceil(resetsAtMs / 1000)))],
  ]
}

/** Returns the rate limit of a request that was not charged. */
function peekRateLimit({ holder, world }: Exchange): RateLimit {
  const now = world.clock.now()
  if (holder) return world.quota.account(holder.accountId).peek(now)
  // Without a valid key: the minute limit of Free (A17).
  const limit = world.seed.plans.free.requestsPerMinute
  return { limit, remaining: limit, resetsAtMs: now + 60_000 }
}

/** RFC 6750, section 3: the error code is included only if a token was sent and is invalid. */
function toChallenge(code: string | undefined): string {
  const realm = 'Bearer realm="petstore"'
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : realm
}

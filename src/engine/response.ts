import type { World } from '../control/world.js'
import { createInternalProblem, type ErrorBody, Problem } from '../service/errors.js'
import { documentedHeaders, requestIdHeader } from '../service/headers.js'
import { JsonText } from '../service/json-text.js'
import { maskKeys } from '../service/mask.js'
import type { Deprecation } from '../world/deprecation.js'
import type { FaultHeader } from '../world/faults/kind.js'
import {
  type ApiResponse,
  type Exchange,
  type InjectedEnd,
  type RateLimit,
  RequestAborted,
} from './exchange.js'
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

/** Resets the connection. */
const noResponse: ApiResponse = { status: 0, headers: [], body: undefined }

/** Returns the world of the key of a request; without a valid key, the initial world. */
export function worldOf({ holder, sandbox, environment }: Exchange): World {
  return holder?.world ?? sandbox.worlds.initial(environment)
}

/** Creates the response to OPTIONS, which is in no journal. */
export function toPreflightResponse(exchange: Exchange): ApiResponse {
  const headers = toHeaders(exchange, 204, undefined)
  if (exchange.isService) headers.push(requestIdHeader, toRequestId(exchange, 0))
  return { status: 204, headers, body: undefined }
}

/** Creates a response with its headers, and with the fault that breaks its transmission. */
export function toResponse(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
): ApiResponse {
  const { losesResponse, truncate } = exchange.injection
  if (losesResponse) return noResponse
  const headers = toHeaders(exchange, status, body)
  return { status, headers, body, truncated: body && truncate?.(body.bytes) }
}

/** Converts an error to a response. */
export function toErrorResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof RequestAborted) {
    exchange.isAborted = true
    exchange.explanation.push('aborted by the client before the response')
    return noResponse
  }
  if (!(error instanceof Problem)) {
    exchange.sandbox.settings.platform.reportError(error)
    return toEndResponse(exchange, createInternalProblem().toBody())
  }
  exchange.isUnavailable = isUnavailable(error)
  exchange.retryAfterSeconds ??= error.retryAfterSeconds
  if (error.code === 'sandbox_capacity') exchange.sandbox.rejections.notify(error)
  return toEndResponse(exchange, error.toBody())
}

/** Whether an error means that the store cannot be reached. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'sandbox_unavailable'
}

/** Creates the response that a preference or a fault injects. */
export function toInjectedResponse(exchange: Exchange, end: InjectedEnd | 'reset'): ApiResponse {
  if (end === 'reset') return noResponse
  const { error, fault } = end
  if (!fault) return toEndResponse(exchange, error)
  const response =
    fault.body === undefined
      ? toEndResponse(exchange, error)
      : toResponse(exchange, error.status, new JsonText(fault.body))
  return { ...response, headers: replaceHeaders(response.headers, fault.headers) }
}

/** Replaces headers (name, value, name, value) with the headers of a fault with the same name. */
function replaceHeaders(
  headers: readonly string[],
  replacements: readonly FaultHeader[],
): readonly string[] {
  const replaced = new Set(replacements.map(([name]) => name.toLowerCase()))
  const isKept = (at: number) => !replaced.has(headers[at - (at % 2)]?.toLowerCase() ?? '')
  const added = replacements.flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  )
  return [...headers.filter((_, at) => isKept(at)), ...added]
}

/** Creates the response of a request that ends without the result of an operation. */
function toEndResponse(exchange: Exchange, end: ErrorBody): ApiResponse {
  exchange.explanation.push(`rejected with ${end.status} ${end.code}: ${end.message}`)
  exchange.code = end.code
  return toResponse(exchange, end.status, JsonText.of(end))
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
  const { request, route, holder, isService, retryAfterSeconds } = exchange
  const world = worldOf(exchange)
  const headers = (isService ? serviceHeaders : commonHeaders).slice()
  headers.push('Date', new Date(world.clock.now()).toUTCString())
  if (body) {
    headers.push('Content-Type', 'application/json', 'Content-Length', String(body.byteLength))
  }
  if (isService) headers.push(...toRateLimitHeaders(exchange).flat())
  else {
    headers.push(requestIdHeader, toRequestId(exchange, 0))
    if (holder) headers.push('Sandbox-World-Generation', String(holder.world.generation))
  }
  if (route.endpoint?.type === 'service' && route.endpoint.definition.deprecated) {
    headers.push(...toDeprecationHeaders(world.deprecation, request.publicRoot))
  }
  const { preferenceApplied = '', preferredStatus = status } = exchange.injection
  if (preferenceApplied !== '' && preferredStatus === status) {
    headers.push('Preference-Applied', preferenceApplied)
  }
  if (retryAfterSeconds !== undefined) {
    headers.push('Retry-After', formatRetryAfter(exchange, retryAfterSeconds))
  }
  if (status === 401) headers.push('WWW-Authenticate', toChallenge(exchange.code))
  const allow =
    status === 405 && isService
      ? serviceRouter.route(request.address, '', request.path).allow
      : route.allow
  if (allow.length > 0) headers.push('Allow', allow.join(', '))
  if (isService && request.method === 'OPTIONS') headers.push(...preflightHeaders)
  return headers
}

/** Formats seconds, or the time of the world at which they have passed, if a fault sends a date. */
function formatRetryAfter(exchange: Exchange, seconds: number): string {
  const { end } = exchange.injection
  const isDate = typeof end === 'object' && end.fault?.retryAfterFormat === 'date'
  if (!isDate) return String(seconds)
  const now = worldOf(exchange).clock.now()
  return new Date(Math.ceil(now / 1_000 + seconds) * 1_000).toUTCString()
}

/** Returns the three rate-limit headers. */
export function toRateLimitHeaders(exchange: Exchange): [name: string, value: string][] {
  const { limit, remaining, resetsAtMs } = exchange.rateLimit ?? peekRateLimit(exchange)
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    // Clients expect Unix timestamps without a sign, but a world can be in a year before 1970.
    ['X-RateLimit-Reset', String(Math.max(0, Math.ceil(resetsAtMs / 1000)))],
  ]
}

/** Returns the rate limit of a request that was not charged. */
function peekRateLimit(exchange: Exchange): RateLimit {
  const { holder, code } = exchange
  const { clock, quota, seed } = worldOf(exchange)
  const now = clock.now()
  if (holder && code !== 'invalid_api_key') return quota.account(holder.accountId).peek(now)
  // Without a valid key: the minute limit of Free (A17).
  const limit = seed.plans.free.requestsPerMinute
  return { limit, remaining: limit, resetsAtMs: now + 60_000 }
}

/**
 * Returns the response headers: name, value, name, value. Links that are paths are below the URL of the
 * sandbox, if it is known.
 *
 * @param root URL of the sandbox without a trailing slash.
 */
export function toDeprecationHeaders(
  { deprecatedAtMs, sunsetAtMs, link }: Deprecation,
  root = '',
): readonly string[] {
  const target = /^\/(?!\/)/.test(link) ? root + link : link
  return [
    'Deprecation',
    `@${Math.floor(deprecatedAtMs / 1000)}`,
    'Sunset',
    new Date(sunsetAtMs).toUTCString(),
    'Link',
    `<${target}>; rel="deprecation"; type="text/html"`,
  ]
}

/** RFC 6750, section 3: the error code is included only if a token was sent and is invalid. */
function toChallenge(code: string | undefined): string {
  const realm = 'Bearer realm="petstore"'
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : realm
}

/**
 * Returns the id of a request.
 *
 * @param entryId The id of its journal entry; 0 if it is in no journal.
 */
export function toRequestId(exchange: Exchange, entryId: number): string {
  const { request, sandbox } = exchange
  const sent = request.header('x-request-id')
  exchange.requestId ??=
    (sent === undefined ? undefined : readRequestId(sent)) ??
    (entryId > 0 ? `${worldOf(exchange).requestIdPrefix}-${entryId}` : sandbox.createRequestId())
  return exchange.requestId
}

/** Needs no escaping in a log, a shell and a URL. */
const usableId = /^[\w.:/+=@-]{1,128}$/

/** Returns the id that a client has sent; undefined if it is malformed or contains an API key. */
export function readRequestId(sent: string | undefined): string | undefined {
  return sent !== undefined && usableId.test(sent) && maskKeys(sent) === sent ? sent : undefined
}

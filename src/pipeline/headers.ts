import { documentedHeaders } from '../contract/headers.js'
import type { JsonText } from '../contract/json-text.js'
import type { Exchange, RateLimit } from './exchange.js'
import { isControl } from './message.js'
import { findMethods } from './route.js'

/** On every response: it is not cached, and its type is not guessed. */
const commonHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

/** On every response of the service: a page of any origin may read it. */
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

/**
 * Returns the headers of a response: name, value, name, value. `Date` is the time of the world, so
 * that a client can compute the time until `X-RateLimit-Reset`.
 *
 * @param code The code of an Error body.
 */
export function toHeaders(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
  code: string | undefined,
): string[] {
  const { request, route, world } = exchange
  const isService = !isControl(request.address)
  const headers = [...(isService ? serviceHeaders : commonHeaders)]
  headers.push('Date', new Date(world.clock.now()).toUTCString())
  if (body) {
    headers.push('Content-Type', 'application/json', 'Content-Length', String(body.byteLength))
  }
  if (isService) pushServiceHeaders(headers, exchange, status)
  if (status === 401) headers.push('WWW-Authenticate', toChallenge(code))
  const allow = status === 405 ? findMethods(request.address, request.path) : route.allow
  if (allow.length > 0) headers.push('Allow', allow.join(', '))
  if (isService && request.method === 'OPTIONS') headers.push(...preflightHeaders)
  return headers
}

function pushServiceHeaders(headers: string[], exchange: Exchange, status: number): void {
  const { route, world, retryAfterSeconds, preferenceApplied, preferredStatus } = exchange
  pushRateLimit(headers, exchange)
  const { endpoint } = route
  if (endpoint?.type === 'service' && endpoint.definition.deprecated) {
    headers.push(...world.deprecation.headers)
  }
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', String(retryAfterSeconds))
  if (preferenceApplied !== '' && (preferredStatus ?? status) === status) {
    headers.push('Preference-Applied', preferenceApplied)
  }
}

function pushRateLimit(headers: string[], exchange: Exchange): void {
  const { limit, remaining, resetsAtMs } = toRateLimit(exchange)
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetsAtMs / 1000)),
  )
}

function toRateLimit({ rateLimit, holder, world }: Exchange): RateLimit {
  if (rateLimit) return rateLimit
  const now = world.clock.now()
  if (holder) return holder.account().peek(now)
  // Without a valid key: the minute limit of Free; nothing is charged (A17).
  const limit = world.seed.plans.free.requestsPerMinute
  return { limit, remaining: limit, resetsAtMs: now + 60_000 }
}

/** RFC 6750, section 3: the error code is included only if a token was sent and is invalid. */
function toChallenge(code: string | undefined): string {
  const realm = 'Bearer realm="petstore"'
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : realm
}

import { documentedHeaders, rateLimitHeaders } from '../contract/headers.js'
import type { JsonText } from '../contract/json-text.js'
import type { Exchange, RateLimit } from './exchange.js'
import type { ApiResponse } from './message.js'

/** On every answer of the API: any page may read it, nobody may keep it or guess its type. */
const commonHeaders = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  documentedHeaders.join(', '),
]

/** Makes the answer: the body with every header that the contract promises. */
export function toApiResponse(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
): ApiResponse {
  const headers = [...commonHeaders]
  if (body) {
    headers.push('Content-Type', 'application/json', 'Content-Length', String(body.byteLength))
  }
  pushRateLimit(headers, exchange)
  if (exchange.contract?.deprecated) headers.push(...exchange.world.deprecation.headers)
  if (exchange.retryAfterSeconds !== undefined) {
    headers.push('Retry-After', String(exchange.retryAfterSeconds))
  }
  if (status === 401) headers.push('WWW-Authenticate', toChallenge(exchange))
  const { preferenceApplied, preferredStatus = status } = exchange
  if (preferenceApplied !== '' && preferredStatus === status) {
    headers.push('Preference-Applied', preferenceApplied)
  }
  if (exchange.route.operation === undefined && exchange.route.allow.length > 0) {
    headers.push('Allow', exchange.route.allow.join(', '))
  }
  const share = exchange.truncatedShare
  return share === undefined
    ? { status, headers, body }
    : { status, headers, body, fault: { type: 'truncate', share } }
}

const preflightHeaders = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  // The wildcard does not stand for Authorization (Fetch standard, CORS protocol).
  'Access-Control-Allow-Headers',
  'Authorization, *',
  'Access-Control-Max-Age',
  '600',
]

/** Answers OPTIONS: which methods the path has, and that a page of any origin may send them. */
export function respondToOptions(exchange: Exchange): ApiResponse {
  const answer = toApiResponse(exchange, 204, undefined)
  return { ...answer, headers: [...answer.headers, ...preflightHeaders] }
}

function pushRateLimit(headers: string[], exchange: Exchange): void {
  const { limit, remaining, resetsAtMs } = toRateLimit(exchange)
  headers.push(
    rateLimitHeaders.limit.name,
    String(limit),
    rateLimitHeaders.remaining.name,
    String(remaining),
    rateLimitHeaders.reset.name,
    String(Math.ceil(resetsAtMs / 1000)),
  )
}

function toRateLimit(exchange: Exchange): RateLimit {
  const { rateLimit, holder, world } = exchange
  if (rateLimit) return rateLimit
  const now = world.clock.now()
  if (holder) return holder.account().peek(now)
  // Without a valid key, Free's minute limit, nothing charged (A17).
  const limit = world.seed.plans.free.requestsPerMinute
  return { limit, remaining: limit, resetsAtMs: now + 60_000 }
}

/** RFC 6750, section 3: without a token, the scheme alone; with one, why it is refused. */
function toChallenge(exchange: Exchange): string {
  const realm = 'Bearer realm="petstore"'
  return exchange.apiKey === undefined ? realm : `${realm}, error="invalid_token"`
}

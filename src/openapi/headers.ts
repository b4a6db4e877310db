import { type documentedHeaders, rateLimitHeaders } from '../contract/headers.js'

export type HeaderName = (typeof documentedHeaders)[number]

/** What the contract says of a response header. */
export interface HeaderDetail {
  readonly meaning: string
  /** The responses that carry it. */
  readonly on: string
  readonly schema: { readonly type: 'integer' | 'string'; readonly minimum?: number }
  readonly example: number | string
}

const count = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const
const everyResponse = 'every response (spec §8)'
const deprecatedOperation = 'every response of the deprecated operation'

/** Every documented response header. */
export const headerDetails: Readonly<Record<HeaderName, HeaderDetail>> = {
  'X-RateLimit-Limit': {
    meaning: rateLimitHeaders.limit.meaning,
    on: everyResponse,
    schema: count,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    meaning: rateLimitHeaders.remaining.meaning,
    on: everyResponse,
    schema: count,
    example: 59,
  },
  'X-RateLimit-Reset': {
    meaning: rateLimitHeaders.reset.meaning,
    on: everyResponse,
    schema: count,
    example: 1_767_258_060,
  },
  'Retry-After': {
    meaning: 'Whole seconds after which the client may try again',
    on: '429 (spec §7 and §8)',
    schema: count,
    example: 42,
  },
  'WWW-Authenticate': {
    meaning: 'The scheme that is wanted (RFC 6750)',
    on: '401',
    schema: text,
    example: 'Bearer realm="petstore"',
  },
  Deprecation: {
    meaning: 'Since when the operation is deprecated, in Unix seconds after an @ (RFC 9745)',
    on: deprecatedOperation,
    schema: text,
    example: '@1764633600',
  },
  Sunset: {
    meaning: 'When the operation ends, as an HTTP date (RFC 8594)',
    on: deprecatedOperation,
    schema: text,
    example: 'Wed, 01 Apr 2026 00:00:00 GMT',
  },
  Link: {
    meaning: 'Where the deprecation is explained, with rel="deprecation" (RFC 9745)',
    on: deprecatedOperation,
    schema: text,
    example: '</#getPet>; rel="deprecation"; type="text/html"',
  },
  Allow: {
    meaning: 'The methods that the path has',
    on: '405',
    schema: text,
    example: 'GET, HEAD, OPTIONS',
  },
  'Preference-Applied': {
    meaning: 'What of the request’s Prefer header was done (RFC 7240)',
    on: 'a response that the caller asked for with Prefer',
    schema: text,
    example: 'code=404',
  },
}

const rateLimitNames = Object.values(rateLimitHeaders).map(({ name }) => name)
const deprecationNames = ['Deprecation', 'Sunset', 'Link'] as const

/** The headers on each response of an operation with the given status. */
export function headersOf(
  status: number,
  operation: { readonly deprecated?: true },
  isRateLimited: boolean,
): readonly HeaderName[] {
  return [
    ...(isRateLimited ? rateLimitNames : []),
    ...(operation.deprecated ? deprecationNames : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 ? (['Retry-After'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
  ]
}

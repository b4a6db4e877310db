/** The request header with the token that a sandbox can require for control requests. */
export const tokenHeader = 'Sandbox-Token'

/** The header with the id of a request. A client can choose it. */
export const requestIdHeader = 'X-Request-Id'

/** The documentation of a response header. */
export interface HeaderDetail {
  readonly meaning: string
  /** The responses that have the header, such as `401`. */
  readonly on: string
  /** A number is a count; another value is any string. */
  readonly example: number | string
}

const everyResponse = 'every response (spec §8)'
const deprecatedOperation = 'every response of the deprecated operation'

/** The documented response headers of the service. CORS exposes them to pages of any origin. */
export const headerDetails = {
  'X-RateLimit-Limit': {
    meaning: 'The limit that applies',
    on: everyResponse,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    meaning: 'Requests left in the current window',
    on: everyResponse,
    example: 59,
  },
  'X-RateLimit-Reset': {
    meaning: 'Unix timestamp, in seconds, at which the limit resets',
    on: everyResponse,
    example: 1_767_258_060,
  },
  'Retry-After': {
    meaning: 'Whole seconds after which the client may retry',
    on: '429 (spec §7 and §8)',
    example: 42,
  },
  'WWW-Authenticate': {
    meaning: 'The required authentication scheme (RFC 6750)',
    on: '401',
    example: 'Bearer realm="petstore"',
  },
  Deprecation: {
    meaning: 'When the operation became deprecated, as @ and Unix seconds (RFC 9745)',
    on: deprecatedOperation,
    example: '@1764633600',
  },
  Sunset: {
    meaning: 'When the operation ends, as an HTTP date (RFC 8594)',
    on: deprecatedOperation,
    example: 'Wed, 01 Apr 2026 00:00:00 GMT',
  },
  Link: {
    meaning: 'Documentation of the deprecation, with rel="deprecation" (RFC 9745)',
    on: deprecatedOperation,
    example: '</#getPet>; rel="deprecation"; type="text/html"',
  },
  Allow: {
    meaning: 'The methods that the path has',
    on: '405',
    example: 'GET, HEAD, OPTIONS',
  },
  'Preference-Applied': {
    meaning: 'The preferences of the Prefer header that were applied (RFC 7240)',
    on: 'a response that the client requested with Prefer',
    example: 'code=404',
  },
  'X-Request-Id': {
    meaning:
      'Id of the request, also in the journal and in the log: the request header X-Request-Id if it has 1 to 128 letters, digits and characters of _.:/+=@- and no API key; otherwise assigned by the sandbox',
    on: 'every response',
    example: '1xzwr05-17',
  },
} as const satisfies Record<string, HeaderDetail>

/** Names of the documented headers of the service. */
export const documentedHeaders: readonly string[] = Object.keys(headerDetails)

/** Converts a list of names and values to an object with lower-case names. Joins repeated headers. */
export function readHeaders(flat: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = (flat[at] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = flat[at + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

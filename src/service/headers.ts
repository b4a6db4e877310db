/** The request header with the token that a sandbox can require for control requests. */
export const tokenHeader = 'Sandbox-Token'

/** The header with the id of a request. A client can choose it. */
export const requestIdHeader = 'X-Request-Id'

/** Names of the documented headers of the service. CORS exposes them to pages of any origin. */
export const documentedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
  'Link',
  'Allow',
  'Preference-Applied',
  'X-Request-Id',
] as const

export type HeaderName = (typeof documentedHeaders)[number]

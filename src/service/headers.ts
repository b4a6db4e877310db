/** The request header with the token that a sandbox can require for control requests. */
export const tokenHeader = 'Sandbox-Token'

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
] as const

export type HeaderName = (typeof documentedHeaders)[number]

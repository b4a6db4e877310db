/** The header on every response of the API (spec §8), with what each means there. */
export const rateLimitHeaders = {
  limit: { name: 'X-RateLimit-Limit', meaning: 'The limit that applies' },
  remaining: { name: 'X-RateLimit-Remaining', meaning: 'Requests left in the current window' },
  reset: {
    name: 'X-RateLimit-Reset',
    meaning: 'Unix timestamp, in seconds, at which the limit resets',
  },
} as const

/** Every documented header that a response can carry: what a page of any origin may read. */
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

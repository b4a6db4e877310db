import {
  always,
  editHeader,
  on,
  onErrors,
  onRejected,
  onStatus,
  type WrongService,
  withHeader,
} from './service.js'

/** Services with wrong responses or headers in several operations. */
export const wrongResponses: readonly WrongService[] = [
  {
    does: 'sends the limit without an Error body',
    check: 'error.shape',
    start: onRejected((response) => ({ ...response, text: '{"error":"slow down"}' })),
  },
  {
    does: 'sends 401 as an HTML page',
    check: 'payloads.media-type',
    companions: ['error.shape', 'payloads.json'],
    start: onStatus(401, (response) =>
      withHeader({ ...response, text: '<h1>Unauthorized</h1>' }, 'content-type', 'text/html'),
    ),
  },
  {
    does: 'sends JSON as text/plain',
    check: 'payloads.media-type',
    start: onStatus(200, (response) => withHeader(response, 'content-type', 'text/plain')),
  },
  {
    does: 'sends orders as XML',
    check: 'payloads.json',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200 ? { ...response, text: '<orders/>' } : response,
    ),
  },
  {
    does: 'sends errors without a message',
    check: 'error.shape',
    start: onErrors(({ message, ...error }) => error),
  },
  {
    does: 'sends errors of staging without an Error body',
    check: 'error.shape',
    start: on('GET', 'staging', '/', (response) =>
      response.status >= 400 ? { ...response, text: '{}' } : response,
    ),
  },
  {
    does: 'sends codes as numbers',
    check: 'error.code',
    start: onErrors((error) => ({ ...error, code: 4_001 })),
  },
  {
    does: 'sends empty codes',
    check: 'error.code',
    start: onErrors((error) => ({ ...error, code: '' })),
  },
  {
    does: 'sends messages as objects',
    check: 'error.message',
    start: onErrors((error) => ({ ...error, message: { en: error.message } })),
  },
  {
    does: 'sends empty messages',
    check: 'error.message',
    start: onErrors((error) => ({ ...error, message: ' ' })),
  },
  {
    does: 'sends the status as a string',
    check: 'error.status',
    start: onErrors((error) => ({ ...error, status: String(error.status) })),
  },
  {
    does: 'sends the status 400 in every Error body',
    check: 'error.status-repeats',
    start: onErrors((error) => ({ ...error, status: 400 })),
  },
  {
    does: 'sends no X-RateLimit-Limit with errors',
    check: 'limits.limit-header',
    start: onStatus(401, (response) => withHeader(response, 'x-ratelimit-limit', undefined)),
  },
  {
    does: 'sends no X-RateLimit-Limit with 404',
    check: 'limits.limit-header',
    start: onStatus(404, (response) => withHeader(response, 'x-ratelimit-limit', undefined)),
  },
  {
    does: 'sends no X-RateLimit-Limit with 400',
    check: 'limits.limit-header',
    start: onStatus(400, (response) => withHeader(response, 'x-ratelimit-limit', undefined)),
  },
  {
    does: 'sends no X-RateLimit-Limit with 429',
    check: 'limits.limit-header',
    start: onStatus(429, (response) => withHeader(response, 'x-ratelimit-limit', undefined)),
  },
  {
    does: 'sends no X-RateLimit-Limit with orders',
    check: 'limits.limit-header',
    start: on('GET', 'api', '/store/orders', (response) =>
      withHeader(response, 'x-ratelimit-limit', undefined),
    ),
  },
  {
    does: 'sends no X-RateLimit-Limit with pets',
    check: 'limits.limit-header',
    start: on('GET', 'api', '/pets/', (response) =>
      withHeader(response, 'x-ratelimit-limit', undefined),
    ),
  },
  {
    does: 'sends no X-RateLimit-Limit with updates',
    check: 'limits.limit-header',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      withHeader(response, 'x-ratelimit-limit', undefined),
    ),
  },
  {
    does: 'sends no X-RateLimit-Limit with messages',
    check: 'limits.limit-header',
    start: on('POST', 'quickstart', '/messages', (response) =>
      withHeader(response, 'x-ratelimit-limit', undefined),
    ),
  },
  {
    does: 'sends no X-RateLimit-Limit with staging',
    check: 'limits.limit-header',
    start: on('GET', 'staging', '/', (response) =>
      withHeader(response, 'x-ratelimit-limit', undefined),
    ),
  },
  {
    does: 'sends no X-RateLimit-Remaining with errors',
    check: 'limits.remaining-header',
    start: onStatus(401, (response) => withHeader(response, 'x-ratelimit-remaining', undefined)),
  },
  {
    does: 'states more remaining requests than the limit',
    check: 'limits.remaining-header',
    start: onStatus(404, (response) => withHeader(response, 'x-ratelimit-remaining', '61')),
  },
  {
    does: 'states remaining requests with 429',
    check: 'limits.remaining-header',
    start: onRejected((response) => withHeader(response, 'x-ratelimit-remaining', '1')),
  },
  {
    does: 'sends X-RateLimit-Reset in milliseconds',
    check: 'limits.reset-header',
    start: always((response) => editHeader(response, 'x-ratelimit-reset', (at) => at * 1000)),
  },
  {
    does: 'sends X-RateLimit-Reset as the number of seconds left',
    check: 'limits.reset-header',
    start: always((response) => editHeader(response, 'x-ratelimit-reset', () => 60)),
  },
  {
    does: 'states a reset that was 30 seconds ago',
    check: 'limits.reset-header',
    companions: ['limits.retry-after'],
    start: always((response) => editHeader(response, 'x-ratelimit-reset', (at) => at - 90)),
  },
  {
    does: 'states the reset of the day with the limit of the minute',
    check: 'limits.reset-header',
    companions: ['limits.retry-succeeds'],
    start: always((response) => editHeader(response, 'x-ratelimit-reset', (at) => at + 3_600)),
  },
]

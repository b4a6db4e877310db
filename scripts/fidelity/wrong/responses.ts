import {
  always,
  editHeader,
  on,
  onErrors,
  onMessages,
  onPets,
  onRejected,
  onStatus,
  onUpdates,
  type Received,
  type Respond,
  setHeader,
  type WrongService,
  withHeader,
} from './service.js'

type Change = (edit: (response: Received) => Received) => () => Respond

/** Responses that must have the header `X-RateLimit-Limit`, and the function that changes them. */
const limitedResponses: readonly (readonly [responses: string, change: Change])[] = [
  ['errors', (edit) => onStatus(401, edit)],
  ['404', (edit) => onStatus(404, edit)],
  ['400', (edit) => onStatus(400, edit)],
  ['429', onRejected],
  ['orders', (edit) => on('GET', 'api', '/store/orders', edit)],
  ['pets', onPets],
  ['updates', onUpdates],
  ['messages', onMessages],
  ['staging', (edit) => on('GET', 'staging', '/', edit)],
]

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
    start: onStatus(200, setHeader('content-type', 'text/plain')),
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
  ...limitedResponses.map(([responses, change]) => ({
    does: `sends no X-RateLimit-Limit with ${responses}`,
    check: 'limits.limit-header',
    start: change(setHeader('x-ratelimit-limit', undefined)),
  })),
  {
    does: 'sends no X-RateLimit-Remaining with errors',
    check: 'limits.remaining-header',
    start: onStatus(401, setHeader('x-ratelimit-remaining', undefined)),
  },
  {
    does: 'states more remaining requests than the limit',
    check: 'limits.remaining-header',
    start: onStatus(404, setHeader('x-ratelimit-remaining', '61')),
  },
  {
    does: 'states remaining requests with 429',
    check: 'limits.remaining-header',
    start: onRejected(setHeader('x-ratelimit-remaining', '1')),
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

import { type Check, expectThat } from '../check.js'
import { isInRange, readRateLimit, readWhole, toWindowSeconds } from '../headers.js'
import { isInteger, listInventory } from '../inventory.js'
import type { Exchange } from '../request.js'
import { describeResponse, describeValue, isString, toObject } from '../response.js'
import type { Session } from '../session.js'

const everyResponse = ['§8 Headers on every API response']

/**
 * Statements about every response: the media type (§1, §4), the Error body (§2, §7) and the headers
 * (§8). They examine all responses of the run, and are therefore the last checks.
 */
export const everyResponseChecks: readonly Check[] = [
  define({
    id: 'payloads.media-type',
    statement: '§4 All operations send and return `application/json`.',
    expected: 'Content-Type: application/json',
    find: ({ headers, text }) => {
      const type = headers.get('content-type')
      if (text === '' || /^application\/json\s*(;|$)/i.test(type ?? '')) return undefined
      return type ?? 'no Content-Type'
    },
  }),
  define({
    id: 'payloads.json',
    statement: '§1 Payloads are JSON.',
    expected: 'JSON',
    find: (exchange) =>
      exchange.json === undefined && exchange.text !== '' ? describeResponse(exchange) : undefined,
  }),
  define({
    id: 'error.shape',
    statement: '§7 Every error body has the Error shape of section 2: `code`, `message`, `status`.',
    restated: ['§4.2 Errors, each with an Error body:'],
    expected: 'an Error body with code, message and status',
    find: (exchange) => {
      if (exchange.status < 400) return undefined
      const { code, message, status } = toObject(exchange.json) ?? {}
      const isError = code !== undefined && message !== undefined && status !== undefined
      return isError ? undefined : describeResponse(exchange)
    },
  }),
  define({
    id: 'error.code',
    statement: '§2 code | string | yes | Machine-readable error code',
    expected: 'code is a string that is not empty',
    find: inError('code', isText),
  }),
  define({
    id: 'error.message',
    statement: '§2 message | string | yes | Human-readable description',
    expected: 'message is a string that is not empty',
    find: inError('message', isText),
  }),
  define({
    id: 'error.status',
    statement: '§2 status | integer | yes | The HTTP status code',
    expected: 'status is an integer',
    find: inError('status', isInteger),
  }),
  define({
    id: 'error.status-repeats',
    statement: '§7 `status` repeats the HTTP status code.',
    expected: 'the HTTP status in the field status',
    find: ({ status, json }) => {
      const found = status < 400 ? undefined : toObject(json)?.status
      if (!isInteger(found) || found === status) return undefined
      return `${describeValue(found)} in a response with ${status}`
    },
  }),
  define({
    id: 'limits.limit-header',
    statement: '§8 X-RateLimit-Limit | The limit that applies',
    restated: everyResponse,
    expected: 'X-RateLimit-Limit with a whole number from 1',
    find: inHeader('x-ratelimit-limit', (limit) => limit > 0),
  }),
  define({
    id: 'limits.remaining-header',
    statement: '§8 X-RateLimit-Remaining | Requests left in the current window',
    restated: everyResponse,
    expected: 'X-RateLimit-Remaining with a whole number up to the limit, 0 with status 429',
    find: inHeader('x-ratelimit-remaining', isRemaining),
  }),
  define({
    id: 'limits.reset-header',
    statement: '§8 X-RateLimit-Reset | Unix timestamp at which the limit resets',
    restated: everyResponse,
    expected: 'X-RateLimit-Reset with seconds since 1970, from now to the end of the window',
    find: inHeader('x-ratelimit-reset', isReset),
  }),
]

/** Returns the deviation of a response; undefined if it agrees. */
type Find = (exchange: Exchange, session: Session) => string | undefined

/** Defines a check of all responses so far, at least of a success and of an error. */
function define({
  find,
  expected,
  ...others
}: Pick<Check, 'id' | 'statement' | 'restated'> & { expected: string; find: Find }): Check {
  return {
    ...others,
    async prepare({ observe }) {
      await observe(listInventory)
      await observe({ ...listInventory, credential: 'missing' })
    },
    run: (session) =>
      session.exchanges.flatMap((exchange) => {
        const actual = find(exchange, session)
        return expectThat(actual === undefined, expected, actual, exchange)
      }),
  }
}

/** Finds an unexpected field of an Error body. `error.shape` reports a missing field. */
function inError(name: string, isMet: (value: unknown) => boolean): Find {
  return ({ status, json }) => {
    const value = status < 400 ? undefined : toObject(json)?.[name]
    return value === undefined || isMet(value) ? undefined : describeValue(value)
  }
}

/** Finds a header with an unexpected value, or without a whole number. */
function inHeader(
  name: string,
  isMet: (value: number, exchange: Exchange, session: Session) => boolean,
): Find {
  return (exchange, session) => {
    const found = exchange.headers.get(name)
    const value = readWhole(found)
    if (value !== undefined && isMet(value, exchange, session)) return undefined
    return `${found ?? 'none'} with status ${exchange.status}`
  }
}

function isText(value: unknown): boolean {
  return isString(value) && value.trim() !== ''
}

function isRemaining(remaining: number, exchange: Exchange): boolean {
  const limit = exchange.status === 429 ? 0 : readRateLimit(exchange)?.limit
  return remaining <= (limit ?? remaining)
}

/** Whether a time is from the date of the response to the end of the window, or of a ban. */
function isReset(seconds: number, exchange: Exchange, { options }: Session): boolean {
  // Without a date, accepts a time from 2001 to 2286.
  const isLikely = seconds >= 1e9 && seconds < 1e10
  const end = exchange.status === 429 ? Infinity : toWindowSeconds(exchange, options.plan)
  return isLikely && isInRange(seconds, exchange, [0, end]) !== false
}

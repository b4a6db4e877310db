import type { Check, CheckClient, Deviation, Exchange, Quote } from '../check.js'
import { describeResponse, describeValue, isString, toObject } from '../deviation.js'
import { isInteger, listInventory } from '../inventory.js'
import { readRateLimit, readWhole } from '../rate-limit.js'
import { isInRange, toWindowSeconds } from '../time.js'

/**
 * Statements about every response: the media type (§1, §4), the Error body (§2, §7) and the headers
 * (§8). They examine all responses of the run, and are therefore the last checks.
 */
export const everyResponseChecks: readonly Check[] = [
  define({
    id: 'payloads.media-type',
    section: '4',
    sentence: 'All operations send and return `application/json`.',
    expected: 'Content-Type: application/json',
    find: ({ headers, text }) => {
      const type = headers.get('content-type')
      if (text === '' || /^application\/json\s*(;|$)/i.test(type ?? '')) return undefined
      return type ?? 'no Content-Type'
    },
  }),
  define({
    id: 'payloads.json',
    section: '1',
    sentence: 'Payloads are JSON.',
    expected: 'JSON',
    find: (exchange) =>
      exchange.json === undefined && exchange.text !== '' ? describeResponse(exchange) : undefined,
  }),
  define({
    id: 'error.shape',
    section: '7',
    sentence: 'Every error body has the Error shape of section 2: `code`, `message`, `status`.',
    restated: [{ section: '4.2', sentence: 'Errors, each with an Error body:' }],
    expected: 'an Error body with code, message and status',
    find: (exchange) => {
      if (exchange.status < 400) return undefined
      const { code, message, status } = toObject(exchange.json) ?? {}
      const isError = code !== undefined && message !== undefined && status !== undefined
      return isError ? undefined : describeResponse(exchange)
    },
  }),
  defineField('code', 'code | string | yes | Machine-readable error code', isText),
  defineField('message', 'message | string | yes | Human-readable description', isText),
  defineField('status', 'status | integer | yes | The HTTP status code', isInteger),
  define({
    id: 'error.status-repeats',
    section: '7',
    sentence: '`status` repeats the HTTP status code.',
    expected: 'the HTTP status in the field status',
    find: ({ status, json }) => {
      const found = status < 400 ? undefined : toObject(json)?.status
      if (!isInteger(found) || found === status) return undefined
      return `${describeValue(found)} in a response with ${status}`
    },
  }),
  defineHeader(
    'limit',
    'X-RateLimit-Limit | The limit that applies',
    'a whole number from 1',
    (limit) => limit > 0,
  ),
  defineHeader(
    'remaining',
    'X-RateLimit-Remaining | Requests left in the current window',
    'a whole number up to the limit, 0 with status 429',
    (remaining, exchange) => {
      const limit = exchange.status === 429 ? 0 : readRateLimit(exchange)?.limit
      return remaining <= (limit ?? remaining)
    },
  ),
  defineHeader(
    'reset',
    'X-RateLimit-Reset | Unix timestamp at which the limit resets',
    'seconds since 1970, from now to the end of the window',
    isReset,
  ),
]

interface Definition extends Quote {
  readonly id: string
  readonly restated?: readonly Quote[]
  readonly expected: string
  /** Returns what a response has instead; undefined if it agrees. */
  readonly find: (exchange: Exchange, client: CheckClient) => string | undefined
}

/** Defines a check of all responses so far, at least of a success and of an error. */
function define({ find, expected, ...quote }: Definition): Check {
  return {
    ...quote,
    requests: 2,
    prepare: sample,
    run(client) {
      return client.exchanges.flatMap((exchange): readonly Deviation[] => {
        const actual = find(exchange, client)
        return actual === undefined ? [] : [{ expected, actual, exchanges: [exchange] }]
      })
    },
  }
}

/** Defines the check of a field of the Error body. */
function defineField(name: string, sentence: string, isMet: (value: unknown) => boolean): Check {
  const [, type = ''] = sentence.split(' | ')
  const wanted = type === 'string' ? 'a string that is not empty' : `an ${type}`
  return define({
    id: `error.${name}`,
    section: '2',
    sentence,
    expected: `${name} is ${wanted}`,
    find: ({ status, json }) => {
      const value = status < 400 ? undefined : toObject(json)?.[name]
      return value === undefined || isMet(value) ? undefined : describeValue(value)
    },
  })
}

/** Defines the check of a header with a whole number. */
function defineHeader(
  name: string,
  sentence: string,
  wanted: string,
  isMet: (value: number, exchange: Exchange, client: CheckClient) => boolean,
): Check {
  const [header = ''] = sentence.split(' | ')
  return define({
    id: `limits.${name}-header`,
    section: '8',
    sentence,
    restated: [{ section: '8', sentence: 'Headers on every API response' }],
    expected: `${header} with ${wanted}`,
    find: (exchange, client) => {
      const found = exchange.headers.get(header.toLowerCase())
      const value = readWhole(found)
      if (value !== undefined && isMet(value, exchange, client)) return undefined
      return `${found ?? 'none'} with status ${exchange.status}`
    },
  })
}

async function sample({ observe }: CheckClient): Promise<void> {
  await observe(listInventory)
  await observe({ ...listInventory, credential: 'missing' })
}

function isText(value: unknown): boolean {
  return isString(value) && value.trim() !== ''
}

/** Whether a time is from the date of the response to the end of the window, or of a ban. */
function isReset(seconds: number, exchange: Exchange, { plan }: CheckClient): boolean {
  // Without a date, a number of 2001 to 2286.
  const isLikely = seconds >= 1e9 && seconds < 1e10
  const end = exchange.status === 429 ? Infinity : toWindowSeconds(exchange, plan)
  return isLikely && isInRange(seconds, exchange, [0, end]) !== false
}

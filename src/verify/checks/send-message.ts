import {
  type Check,
  type Deviation,
  expectRejection,
  expectResponse,
  expectThat,
  respondsWith,
  toSkip,
} from '../check.js'
import { isInRange, readIso8601 } from '../headers.js'
import type { CheckRequest, Exchange } from '../request.js'
import { describeRequest, isString, isSuccess, toObject } from '../response.js'
import { Skip } from '../session.js'

const fields =
  '§4.4 Success response fields: `id` (string), `message` (string), `status` (string; the quickstart response carries the value `queued`, meaning the message was only queued), `createdAt` (ISO 8601 timestamp).'
const errors =
  '§4.4 Errors: 401 when the key is missing or invalid or the Authorization header is not of the form Bearer <API_KEY>; 400 when the body is invalid JSON or lacks `message`.'

/** Every check observes the response to the same request, so that one message is queued. */
const valid = post('{"message":"A check of petstore-sandbox verify. Please ignore it."}')

/** §4.4. The checks queue one message, and more if the service accepts invalid ones. */
export const sendMessageChecks: readonly Check[] = define([
  {
    id: 'send-message.path',
    statement: '§4.4 Method and path: `POST /messages`.',
    restated: [
      '§4.4 Message-sending operation (quickstart example on a separate address {quickstart_base_url})',
    ],
    async run({ options, observe }) {
      const { api, quickstart = '' } = options.urls
      const exchange = await observe(valid)
      return [
        ...expectThat(quickstart !== api, 'an address other than {base_url}', quickstart),
        ...expectResponse(exchange, isSuccess(exchange), `a success of ${describeRequest(valid)}`),
      ]
    },
  },
  {
    id: 'send-message.id',
    statement: fields,
    run: checkField('id', 'a string', isString),
  },
  {
    id: 'send-message.message',
    statement: fields,
    run: checkField('message', 'a string', isString),
  },
  {
    id: 'send-message.status',
    statement: fields,
    run: checkField('status', 'queued', (value) => value === 'queued'),
  },
  {
    id: 'send-message.created-at',
    statement: fields,
    async run({ observe }) {
      const exchange = await observe(valid)
      const { createdAt } = toMessage(exchange)
      const time = isString(createdAt) ? readIso8601(createdAt) : undefined
      const form = 'createdAt is an ISO 8601 timestamp'
      if (!time) return expectThat(false, form, createdAt, exchange)
      if (time.seconds === undefined) return []
      const isNow = isInRange(time.seconds, exchange, [0, 0])
      if (isNow === undefined) throw new Skip('the response has no Date to compare createdAt with')
      const date = exchange.headers.get('date')
      const expected = `createdAt is the time of the request, which has the Date ${date}`
      return expectThat(isNow, expected, createdAt, exchange)
    },
  },
  {
    id: 'send-message.content-type',
    statement:
      '§4.4 Required headers: `Authorization: Bearer <API_KEY>` and `Content-Type: application/json`.',
    writes: 2,
    async run({ observe }) {
      const text = await observe({ ...valid, headers: { 'Content-Type': 'text/plain' } })
      const none = await observe({ ...valid, headers: {} })
      return [
        ...expectRejection(text, 'another Content-Type'),
        ...expectRejection(none, 'no Content-Type'),
      ]
    },
  },
  {
    id: 'send-message.message-string',
    statement:
      '§4.4 Request body: JSON object with a `message` field (string); it must be present and the JSON must be valid.',
    writes: 5,
    async run({ observe }) {
      const deviations: Deviation[] = []
      for (const value of ['5', 'true', 'null', '[]', '{}']) {
        const exchange = await observe(post(`{"message":${value}}`))
        deviations.push(...expectRejection(exchange, `the message ${value}`))
      }
      return deviations
    },
  },
  {
    id: 'send-message.missing-key',
    statement: errors,
    run: respondsWith(401, { ...valid, credential: 'missing' }),
  },
  {
    id: 'send-message.invalid-key',
    statement: errors,
    run: respondsWith(401, { ...valid, credential: 'unknown' }),
  },
  {
    id: 'send-message.bearer',
    statement: errors,
    writes: 2,
    run: respondsWith(
      401,
      { ...valid, credential: 'without-scheme' },
      { ...valid, credential: 'other-scheme' },
    ),
  },
  {
    id: 'send-message.invalid-json',
    statement: errors,
    run: respondsWith(400, post('{"message":')),
  },
  {
    id: 'send-message.missing-message',
    statement: errors,
    writes: 2,
    run: respondsWith(400, post('{}'), post('[]')),
  },
])

/** Adds the common fields of most checks. */
function define(checks: readonly Check[]): readonly Check[] {
  return checks.map((check) => ({ writes: 1, needs: 'quickstart', ...check }))
}

function post(body: string): CheckRequest {
  const headers = { 'Content-Type': 'application/json' }
  return { address: 'quickstart', method: 'POST', path: '/messages', headers, body }
}

/** Returns the function of a check of a field of the response. */
function checkField(
  name: string,
  expected: string,
  isMet: (value: unknown) => boolean,
): Check['run'] {
  return async ({ observe }) => {
    const exchange = await observe(valid)
    const value = toMessage(exchange)[name]
    return expectThat(isMet(value), `${name} is ${expected}`, value, exchange)
  }
}

function toMessage(exchange: Exchange): Readonly<Record<string, unknown>> {
  if (!isSuccess(exchange)) throw toSkip('sendMessage', exchange)
  return toObject(exchange.json) ?? {}
}

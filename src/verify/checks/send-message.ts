import type { Check, CheckClient, CheckRequest, Deviation, Exchange } from '../check.js'
import {
  describeRequest,
  describeResponse,
  describeValue,
  expectRejection,
  expectStatus,
  expectThat,
  isString,
  isSuccess,
  toObject,
  toSkip,
} from '../deviation.js'

const section = '4.4'
const fields = {
  section,
  sentence:
    'Success response fields: `id` (string), `message` (string), `status` (string; the quickstart response carries the value `queued`, meaning the message was only queued), `createdAt` (ISO 8601 timestamp).',
}
const errors = {
  section,
  sentence:
    'Errors: 401 when the key is missing or invalid or the Authorization header is not of the form Bearer <API_KEY>; 400 when the body is invalid JSON or lacks `message`.',
}
const always = { writes: true, needs: 'quickstart', requests: 1 } as const

/** §4.4. The checks queue one message, and more if the service accepts invalid ones. */
export const sendMessageChecks: readonly Check[] = [
  {
    id: 'send-message.path',
    section,
    sentence: 'Method and path: `POST /messages`.',
    restated: [
      {
        section,
        sentence:
          'Message-sending operation (quickstart example on a separate address {quickstart_base_url})',
      },
    ],
    ...always,
    async run({ urls, observe }) {
      const { api, quickstart = '' } = urls
      const exchange = await observe(valid)
      const expected = `a success of ${describeRequest(valid)}`
      return [
        ...expectThat(quickstart !== api, 'an address other than {base_url}', quickstart),
        ...expectThat(isSuccess(exchange), expected, describeResponse(exchange), exchange),
      ]
    },
  },
  {
    id: 'send-message.id',
    ...fields,
    ...always,
    run: (client) => expectField(client, 'id', 'a string', isString),
  },
  {
    id: 'send-message.message',
    ...fields,
    ...always,
    run: (client) => expectField(client, 'message', 'a string', isString),
  },
  {
    id: 'send-message.status',
    ...fields,
    ...always,
    run: (client) => expectField(client, 'status', 'queued', (value) => value === 'queued'),
  },
  {
    id: 'send-message.created-at',
    ...fields,
    ...always,
    run: (client) => expectField(client, 'createdAt', 'an ISO 8601 timestamp', isTimestamp),
  },
  {
    id: 'send-message.content-type',
    section,
    sentence:
      'Required headers: `Authorization: Bearer <API_KEY>` and `Content-Type: application/json`.',
    ...always,
    async run({ observe }) {
      const exchange = await observe({ ...valid, headers: { 'Content-Type': 'text/plain' } })
      return expectRejection(exchange, 'another Content-Type')
    },
  },
  {
    id: 'send-message.message-string',
    section,
    sentence:
      'Request body: JSON object with a `message` field (string); it must be present and the JSON must be valid.',
    ...always,
    run: async ({ observe }) =>
      expectRejection(await observe(post('{"message":5}')), 'a message that is not a string'),
  },
  {
    id: 'send-message.missing-key',
    ...errors,
    ...always,
    run: async ({ observe }) =>
      expectStatus(await observe({ ...valid, credential: 'missing' }), 401),
  },
  {
    id: 'send-message.invalid-key',
    ...errors,
    ...always,
    run: async ({ observe }) =>
      expectStatus(await observe({ ...valid, credential: 'unknown' }), 401),
  },
  {
    id: 'send-message.bearer',
    ...errors,
    ...always,
    run: async ({ observe }) =>
      expectStatus(await observe({ ...valid, credential: 'without-scheme' }), 401),
  },
  {
    id: 'send-message.invalid-json',
    ...errors,
    ...always,
    run: async ({ observe }) => expectStatus(await observe(post('{"message":')), 400),
  },
  {
    id: 'send-message.missing-message',
    ...errors,
    ...always,
    run: async ({ observe }) => expectStatus(await observe(post('{}')), 400),
  },
]

function post(body: string): CheckRequest {
  const headers = { 'Content-Type': 'application/json' }
  return { address: 'quickstart', method: 'POST', path: '/messages', headers, body }
}

/** Every check observes the response to the same request, so that one message is queued. */
const valid = post('{"message":"A check of petstore-sandbox verify. Please ignore it."}')

async function expectField(
  { observe }: CheckClient,
  name: string,
  expected: string,
  isMet: (value: unknown) => boolean,
): Promise<readonly Deviation[]> {
  const exchange = await observe(valid)
  const value = toMessage(exchange)[name]
  return expectThat(isMet(value), `${name} is ${expected}`, describeValue(value), exchange)
}

function toMessage(exchange: Exchange): Readonly<Record<string, unknown>> {
  if (!isSuccess(exchange)) {
    throw toSkip('sendMessage', exchange)
  }
  return toObject(exchange.json) ?? {}
}

/** ISO 8601 with a date, a time and an offset. */
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)$/

function isTimestamp(value: unknown): boolean {
  return isString(value) && timestamp.test(value) && !Number.isNaN(Date.parse(value))
}

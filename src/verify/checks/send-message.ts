import {
  type Check,
  type CheckClient,
  type CheckRequest,
  type Deviation,
  type Exchange,
  Skip,
} from '../check.js'
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
import { isInRange, readIso8601 } from '../time.js'

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
    async run(client) {
      const exchange = await client.observe(valid)
      const { createdAt } = toMessage(exchange)
      const time = isString(createdAt) ? readIso8601(createdAt) : undefined
      const form = 'createdAt is an ISO 8601 timestamp'
      if (!time) return expectThat(false, form, describeValue(createdAt), exchange)
      const isNow = time.seconds !== undefined && isInRange(time.seconds, exchange, [0, 0])
      if (isNow === undefined) throw new Skip('the response has no Date to compare createdAt with')
      const date = exchange.headers.get('date')
      const expected = `createdAt is the time of the request, which has the Date ${date}`
      const isMet = isNow || time.seconds === undefined
      return expectThat(isMet, expected, describeValue(createdAt), exchange)
    },
  },
  {
    id: 'send-message.content-type',
    section,
    sentence:
      'Required headers: `Authorization: Bearer <API_KEY>` and `Content-Type: application/json`.',
    ...always,
    requests: 2,
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
    section,
    sentence:
      'Request body: JSON object with a `message` field (string); it must be present and the JSON must be valid.',
    ...always,
    requests: 5,
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
    requests: 2,
    run: async ({ observe }) => [
      ...expectStatus(await observe({ ...valid, credential: 'without-scheme' }), 401),
      ...expectStatus(await observe({ ...valid, credential: 'other-scheme' }), 401),
    ],
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
    requests: 2,
    run: async ({ observe }) => [
      ...expectStatus(await observe(post('{}')), 400),
      ...expectStatus(await observe(post('[]')), 400),
    ],
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

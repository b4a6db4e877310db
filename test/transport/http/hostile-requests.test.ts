import { describe, expect, test } from 'vitest'
import { errorTexts } from '../../../src/service/error-texts.js'
import {
  authorization,
  expectProblem,
  openServer,
  toRequest,
  watchErrors,
} from './support/open-server.js'

const json = 'Content-Type: application/json'
const patch = (path: string, body: string) =>
  toRequest(`PATCH /v1/inventory/${path}`, [authorization, json], body)

interface HostileRequest {
  readonly title: string
  readonly request: string
  readonly status: number
  readonly code: string
  /** The message that the documents show. Default: any. */
  readonly message?: string
}

const ids: readonly HostileRequest[] = [
  ['%00', 400, 'invalid_parameter'],
  ['1%00', 400, 'invalid_parameter'],
  ['..%2f', 400, 'invalid_parameter'],
  ['%zz', 400, 'invalid_parameter'],
  ['%E0%A4%A', 400, 'invalid_parameter'],
  ['__proto__', 400, 'invalid_parameter'],
  ['constructor', 400, 'invalid_parameter'],
  ['../inventory', 404, 'route_not_found'],
].map(([id, status, code]) => ({
  title: `the petId ${id}`,
  request: patch(String(id), '{"quantity":5}'),
  status: Number(status),
  code: String(code),
}))

const list = (...lines: string[]) => toRequest('GET /v1/inventory', lines)
const get = (target: string, ...lines: string[]) =>
  `GET ${target} HTTP/1.1\r\n${[...lines, authorization].join('\r\n')}\r\n\r\n`
const malformed: readonly HostileRequest[] = [
  ['an empty Host', get('/v1/inventory', 'Host:')],
  ['a Host with a path', get('/v1/inventory', 'Host: localhost/b')],
  ['a Host with a user', get('/v1/inventory', 'Host: me@a')],
  ['a Host with markup', get('/v1/inventory', 'Host: <script>')],
  ['a Host with two ports', get('/v1/inventory', 'Host: localhost:1:2')],
  ['a target in absolute form without a host', get('http:///v1/inventory', 'Host: localhost')],
  ['a target in absolute form with a user', get('http://me@a/v1/inventory', 'Host: localhost')],
  [
    'a target in absolute form and a repeated Host',
    get('http://localhost/v1/inventory', 'Host: localhost', 'Host: localhost'),
  ],
  ['a target of another scheme', get('ftp://localhost/v1/inventory', 'Host: localhost')],
  ['a target of *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a target longer than 4,096 characters', get(`/v1/${'a'.repeat(4_096)}`, 'Host: localhost')],
  ['a target with a control character', get('/v1/\x01', 'Host: localhost')],
  ['a header name with a space', get('/v1/inventory', 'Host: localhost', 'X Y: 1')],
  ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  [
    'a Content-Length that is not a number',
    get('/v1/inventory', 'Host: localhost', 'Content-Length: 1x'),
  ],
].map(([title = '', request = '']) => ({
  title,
  request,
  status: 400,
  code: 'malformed_request',
}))

const others: readonly HostileRequest[] = [
  {
    title: 'an Authorization of 8 KB',
    request: list(`Authorization: Bearer ${'k'.repeat(8_192)}`),
    status: 401,
    code: 'invalid_api_key',
  },
  {
    title: 'a body with __proto__ in place of the fields',
    request: patch('1', '{"__proto__":{"quantity":5}}'),
    status: 400,
    code: 'missing_field',
  },
  {
    title: 'TRACE of a page',
    request: toRequest('TRACE /'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'a target with an empty segment',
    request: toRequest('GET //inventory', [authorization]),
    status: 400,
    code: 'malformed_request',
    message: errorTexts.malformed_request.example,
  },
  {
    title: 'a header section larger than 16 KiB',
    request: list(`X-Long: ${'a'.repeat(20_000)}`),
    status: 431,
    code: 'headers_too_large',
    message: errorTexts.headers_too_large.example,
  },
  {
    title: 'a body of 100,000 nested arrays',
    request: patch('1', '['.repeat(100_000)),
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'a control request with 100,000 nested arrays',
    request: toRequest(
      'PUT /sandbox/faults',
      [authorization, json],
      '['.repeat(100_000) + ']'.repeat(100_000),
    ),
    status: 400,
    code: 'invalid_field',
  },
]

describe.each([
  ['ids', ids],
  ['malformed requests', malformed],
  ['the limits', others],
])('%s', (_, rows) => {
  test.each(rows)('$title responds with $status $code and changes nothing', async (row) => {
    const errors = watchErrors()
    const { send, expectUnharmed } = await openServer()
    expectProblem(await send(row.request), row.status, row.code, row.message)
    await expectUnharmed()
    expect(errors).not.toHaveBeenCalled()
  })
})

test('__proto__ in a body does not change a prototype', async () => {
  const { send } = await openServer()
  await send(patch('1', '{"quantity":5,"__proto__":{"isPolluted":true}}'))
  expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false)
})

describe('a request target in absolute form (RFC 9112, section 3.2.2)', () => {
  test.each(['http://localhost', 'HTTP://127.0.0.1:4010', 'https://localhost:443'])(
    '%s/v1/inventory is /v1/inventory',
    async (origin) => {
      const { send } = await openServer()
      const response = await send(get(`${origin}/v1/inventory?a=/b#c`, 'Host: localhost'))
      expect(response.status).toBe(200)
      expect(JSON.parse(response.text)).toHaveLength(12)
    },
  )

  test('names a page, and / without a path', async () => {
    const { send } = await openServer()
    const document = await send(get('http://localhost/openapi.json', 'Host: localhost'))
    expect(JSON.parse(document.text)).toHaveProperty('openapi')
    const page = await send(get('http://localhost', 'Host: localhost'))
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('the console') })
  })

  test('replaces the Host header', async () => {
    const { send } = await openServer()
    const { text } = await send(get('http://127.0.0.1:99/openapi.json', 'Host: localhost'))
    expect(text).toContain('"http://127.0.0.1:99/v1"')
    const rebound = await send(get('http://evil.example/v1/inventory', 'Host: localhost'))
    expectProblem(rebound, 421, 'host_not_allowed')
  })

  test('does not affect the next request of the connection', async () => {
    const { connect } = await openServer()
    const client = connect()
    const statuses: number[] = []
    for (const origin of ['', 'http://evil.example', '']) {
      const request = get(`${origin}/v1/inventory`, 'Host: localhost')
      statuses.push((await client.send(request).response()).status)
    }
    expect(statuses).toEqual([200, 421, 200])
  })
})

test.each(['websocket', 'h2c'])(
  'a request to upgrade to %s gets an HTTP/1.1 response',
  async (protocol) => {
    const { send, expectUnharmed } = await openServer()
    const request = list(authorization, 'Connection: Upgrade', `Upgrade: ${protocol}`)
    expect(await send(request)).toMatchObject({ status: 200 })
    await expectUnharmed()
  },
)

import { describe, expect, test } from 'vitest'
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
}

const bodies: readonly HostileRequest[] = [
  ['malformed JSON', '{"quantity":', 'invalid_json'],
  ['invalid UTF-8', '{"quantity":"\xff\xfe"}', 'invalid_json'],
  ['32,000 nested arrays', '['.repeat(32_000) + ']'.repeat(32_000), 'invalid_field'],
  ['a quantity larger than any number', '{"quantity":1e999}', 'invalid_field'],
  ['__proto__ in place of the fields', '{"__proto__":{"quantity":5}}', 'missing_field'],
  [
    '__proto__ in addition to the fields',
    '{"quantity":5,"__proto__":{"isAdmin":true}}',
    'invalid_field',
  ],
  [
    'constructor in addition to the fields',
    '{"quantity":5,"constructor":{"prototype":1}}',
    'invalid_field',
  ],
].map(([title = '', body = '', code = '']) => ({
  title: `a body of ${title}`,
  request: patch('1', body),
  status: 400,
  code,
}))

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
const credentials: readonly HostileRequest[] = [
  { title: 'no Authorization', request: list(), code: 'missing_api_key' },
  { title: 'an empty Authorization', request: list('Authorization:'), code: 'missing_api_key' },
  {
    title: 'a repeated Authorization',
    request: list(authorization, authorization),
    code: 'missing_api_key',
  },
  {
    title: 'a repeated Authorization with two keys',
    request: list(authorization, 'Authorization: Bearer sbx_free'),
    code: 'missing_api_key',
  },
  {
    title: 'an Authorization of 8 KB',
    request: list(`Authorization: Bearer ${'k'.repeat(8_192)}`),
    code: 'invalid_api_key',
  },
  {
    title: 'an Authorization with non-ASCII bytes',
    request: list('Authorization: Bearer \xff\xfe'),
    code: 'missing_api_key',
  },
].map((row) => ({ ...row, status: 401 }))

const get = (target: string, ...lines: string[]) =>
  `GET ${target} HTTP/1.1\r\n${[...lines, authorization].join('\r\n')}\r\n\r\n`
const malformed: readonly HostileRequest[] = [
  ['no Host', get('/v1/inventory')],
  ['an empty Host', get('/v1/inventory', 'Host:')],
  ['a repeated Host', get('/v1/inventory', 'Host: localhost', 'Host: localhost')],
  ['a Host with a path', get('/v1/inventory', 'Host: localhost/b')],
  ['a Host with a user', get('/v1/inventory', 'Host: me@a')],
  ['a Host with markup', get('/v1/inventory', 'Host: <script>')],
  ['a Host with two ports', get('/v1/inventory', 'Host: localhost:1:2')],
  ['a target that begins with //', get('//v1/inventory', 'Host: localhost')],
  ['a target in absolute form without a host', get('http:///v1/inventory', 'Host: localhost')],
  ['a target in absolute form with a user', get('http://me@a/v1/inventory', 'Host: localhost')],
  ['a target in absolute form and no Host', get('http://localhost/v1/inventory')],
  [
    'a target in absolute form and a repeated Host',
    get('http://localhost/v1/inventory', 'Host: localhost', 'Host: localhost'),
  ],
  ['a target of another scheme', get('ftp://localhost/v1/inventory', 'Host: localhost')],
  ['a target of *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a target longer than 4,096 characters', get(`/v1/${'a'.repeat(4_096)}`, 'Host: localhost')],
  ['a target with non-ASCII bytes', get('/v1/\xe4', 'Host: localhost')],
  ['a target with a control character', get('/v1/\x01', 'Host: localhost')],
  ['an unknown Expect', get('/v1/inventory', 'Host: localhost', 'Expect: 200-maybe')],
  ['a header line without a colon', get('/v1/inventory', 'Host: localhost', 'nonsense')],
  ['a header name with a space', get('/v1/inventory', 'Host: localhost', 'X Y: 1')],
  ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  [
    'two different values of Content-Length',
    get('/v1/inventory', 'Host: localhost', 'Content-Length: 1', 'Content-Length: 2'),
  ],
  [
    'a Content-Length with chunked encoding',
    get('/v1/inventory', 'Host: localhost', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
  ],
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
    title: 'TRACE of an operation',
    request: toRequest('TRACE /v1/inventory'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'TRACE of a page',
    request: toRequest('TRACE /'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'TRACK',
    request: toRequest('TRACK /v1/inventory'),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'CONNECT',
    request: 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'a header section larger than 16 KiB',
    request: list(`X-Long: ${'a'.repeat(20_000)}`),
    status: 431,
    code: 'headers_too_large',
  },
  {
    title: 'more than 100 header lines',
    request: list(...Array.from({ length: 101 }, (_, at) => `X-${at}: 1`)),
    status: 431,
    code: 'headers_too_large',
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
  {
    title: 'a body of 64 KiB and one byte',
    request: patch('1', `{"quantity":5}${' '.repeat(65_536 - 13)}`),
    status: 413,
    code: 'payload_too_large',
  },
]

describe.each([
  ['operations', [...bodies, ...ids]],
  ['credentials', credentials],
  ['malformed requests', malformed],
  ['the limits', others],
])('%s', (_, rows) => {
  test.each(rows)('$title responds with $status $code and changes nothing', async (row) => {
    const errors = watchErrors()
    const { send, expectUnharmed } = await openServer()
    expectProblem(await send(row.request), row.status, row.code)
    await expectUnharmed()
    expect(errors).not.toHaveBeenCalled()
  })
})

test('a body of exactly 64 KiB is accepted', async () => {
  const { send, world } = await openServer()
  const request = patch('1', `{"quantity":5}${' '.repeat(65_536 - 14)}`)
  expect(await send(request)).toMatchObject({ status: 200 })
  expect(world.db.pets.find('1')?.quantity).toBe(5)
})

test('__proto__ in a body does not change a prototype', async () => {
  const { send } = await openServer()
  await send(patch('1', '{"quantity":5,"__proto__":{"isPolluted":true}}'))
  expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false)
})

test('HTTP/1.0 does not require Host', async () => {
  const { send } = await openServer()
  const response = await send(`GET /v1/inventory HTTP/1.0\r\n${authorization}\r\n\r\n`)
  expect(response.status).toBe(200)
})

test.each(['localhost:4010', '127.0.0.1', '[::1]:4010', 'my-shop.test', 'a_b.test'])(
  'the Host %s is well-formed',
  async (host) => {
    const { send } = await openServer({ allowedHosts: true })
    expect(await send(get('/v1/inventory', `Host: ${host}`))).toMatchObject({ status: 200 })
  },
)

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
    for (const target of ['/v1/inventory', 'http://evil.example/v1/inventory']) {
      for (const status of [200, 200]) {
        const expected = target.startsWith('/') ? status : 421
        const response = await client.send(get(target, 'Host: localhost')).response()
        expect(response.status).toBe(expected)
      }
    }
    const last = await client.send(get('/v1/inventory', 'Host: localhost')).response()
    expect(last.status).toBe(200)
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

test('Accept: msw/passthrough has no special meaning', async () => {
  const { send } = await openServer()
  expect(await send(list(authorization, 'Accept: msw/passthrough'))).toMatchObject({ status: 200 })
})

test('every response of an address has rate-limit headers; a response to a malformed request does not', async () => {
  const { send } = await openServer()
  for (const target of [
    '/v1/inventory',
    '/v1',
    '/v1/nope',
    '/staging/v1/pets/x',
    '/quickstart/a',
  ]) {
    const { headers } = await send(toRequest(`GET ${target}`))
    expect([target, headers.get('x-ratelimit-limit')]).toEqual([target, '60'])
  }
  const rejected = await send(get('/v1/inventory', 'Host: localhost', 'Host: b'))
  expect(rejected.headers.has('x-ratelimit-limit')).toBe(false)
  expect(rejected.headers.get('access-control-allow-origin')).toBe('*')
})

test('HEAD responds with the headers of GET and no body', async () => {
  const { connect } = await openServer()
  const client = connect()
  const get = await client.send(list(authorization)).response()
  const head = await client.send(toRequest('HEAD /v1/inventory', [authorization])).response('HEAD')
  expect(head.status).toBe(200)
  expect([...head.headers.keys()]).toEqual([...get.headers.keys()])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  expect(await client.send(list(authorization)).response()).toMatchObject({ status: 200 })
})

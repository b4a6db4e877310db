import { expect, test } from 'vitest'
import { authorization, openServer, toRequest } from './support/open-server.js'

const sent = 'X-Request-Id: shop-7'
const pattern = /^[\w-]{3,40}$/

/** Requests that reach no operation of the service, and their status. */
const rows: readonly (readonly [line: string, status: number, headers?: readonly string[]])[] = [
  ['GET /', 404],
  ['GET /openapi.json', 200],
  ['GET /healthz', 200],
  ['TRACE /', 405],
  ['GET //v1/inventory', 400],
  ['GET /v1/inventory', 400, ['Expect: 200-maybe']],
  ['POST /nothing', 413, ['Content-Length: 9000000']],
  ['GET /sandbox', 200, [authorization]],
  ['GET /sandbox', 401],
  ['PUT /sandbox/faults', 400, [authorization]],
  ['DELETE /sandbox/faults', 403, [authorization, 'Sec-Fetch-Site: cross-site']],
  ['GET /sandbox/nope', 404, [authorization]],
  ['OPTIONS /v1/inventory', 204],
]

test.for(rows)('%s with status %i has the id of the client', async (row) => {
  const [line, status, headers = []] = row
  const { send } = await openServer()
  const receiveId = async (...more: string[]) => {
    const response = await send(toRequest(line, [...headers, ...more]))
    expect(response.status).toBe(status)
    return response.headers.get('x-request-id')
  }
  expect(await receiveId(sent)).toBe('shop-7')
  const ids = [await receiveId(), await receiveId()]
  for (const id of ids) expect(id).toMatch(pattern)
  expect(ids[0]).not.toBe(ids[1])
})

test('a host that is not allowed, and a client beyond its connections, get an id', async () => {
  const { send } = await openServer()
  const response = await send('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')
  expect(response.status).toBe(421)
  expect(response.headers.get('x-request-id')).toMatch(pattern)
  expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  const limited = await openServer({ limits: { clientConnections: 1 } })
  limited.connect()
  const excess = await limited.send(toRequest('GET /v1/inventory', [authorization, sent]))
  expect(excess.status).toBe(503)
  expect(excess.headers.get('x-request-id')).toBe('shop-7')
})

test.each([
  ['bytes that are not HTTP', '\x16\x03\x01\x02\r\n\r\n', 400],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
  ['a header section that is too long', toRequest('GET /', [`X-Long: ${'a'.repeat(20_000)}`]), 431],
] as const)('%s: the response has an id', async (_, request, status) => {
  const { send } = await openServer()
  const response = await send(request)
  expect(response.status).toBe(status)
  expect(response.headers.get('x-request-id')).toMatch(pattern)
})

test('an event stream has an id', async () => {
  const { connect } = await openServer()
  const client = connect().send(toRequest('GET /sandbox/events', [authorization, sent]))
  const head = await client.until('\r\n\r\n')
  expect(head).toContain('\r\nX-Request-Id: shop-7\r\n')
})

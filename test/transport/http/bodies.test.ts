import { describe, expect, test } from 'vitest'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

const json = 'Content-Type: application/json'
const patchHead = (...lines: string[]) =>
  ['PATCH /v1/inventory/1 HTTP/1.1', 'Host: localhost', authorization, json, ...lines, '', ''].join(
    '\r\n',
  )
const megabyte = 1_048_576

test('a chunked body is read like one with a Content-Length', async () => {
  const { send, world } = await openServer()
  const chunks = '6\r\n{"quan\r\n8\r\ntity":5}\r\n0\r\n\r\n'
  expect(await send(patchHead('Transfer-Encoding: chunked') + chunks)).toMatchObject({
    status: 200,
  })
  expect(world.db.pets.find('1')?.quantity).toBe(5)
})

test('a body larger than 64 KiB responds with 413 and keeps the connection usable', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${megabyte}`) + ' '.repeat(megabyte))
  expectProblem(await client.response(), 413, 'payload_too_large')
  expect(await client.send(toRequest('GET /healthz')).response()).toMatchObject({ status: 200 })
  await expectUnharmed()
})

test('a Content-Length above 1 MiB responds with 413 before the body is sent', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${megabyte + 1}`))
  const response = await client.response()
  expectProblem(response, 413, 'payload_too_large')
  expect(response.headers.get('connection')).toBe('close')
  // The request is charged like any other.
  expect(response.headers.has('x-ratelimit-limit')).toBe(true)
  await expectUnharmed()
})

test('a client that sends 3 MiB can read the 413 response', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${3 * megabyte}`))
  for (let sent = 0; sent < 3; sent++) client.send(Buffer.alloc(megabyte, ' '))
  expectProblem(await client.response(), 413, 'payload_too_large')
  await client.closed()
  await expectUnharmed()
})

test('a chunked body is read up to 1 MiB', async () => {
  const { connect, expectUnharmed } = await openServer({ limits: { lingerMs: 20 } })
  const client = connect().send(patchHead('Transfer-Encoding: chunked'))
  const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
  for (let sent = 0; sent < 17; sent++) client.send(chunk)
  const response = await client.response()
  expectProblem(response, 413, 'payload_too_large')
  expect(response.headers.get('connection')).toBe('close')
  await client.closed()
  await expectUnharmed()
})

describe('a chunked body below no address', () => {
  const chunked = (line: string, body: string) =>
    toRequest(line, ['Transfer-Encoding: chunked'], '').replace(
      /$/,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    )

  test.each([
    ['POST /nothing', 404, 'route_not_found'],
    ['PUT /nothing/else', 404, 'route_not_found'],
    ['POST /openapi.json', 405, 'method_not_allowed'],
  ] as const)(
    '%s responds with %s, and the connection stays usable',
    async (line, status, code) => {
      const { connect, expectUnharmed } = await openServer()
      const client = connect().send(chunked(line, '{"a":1}'))
      expectProblem(await client.response(), status, code)
      expect(await client.send(toRequest('GET /healthz')).response()).toMatchObject({ status: 200 })
      await expectUnharmed()
    },
  )

  test('is drained when it arrives late, and has no effect on a page', async () => {
    const { connect } = await openServer()
    const client = connect().send(toRequest('GET /openapi.json', ['Transfer-Encoding: chunked']))
    client.send('1\r\na\r\n')
    client.send('0\r\n\r\n')
    expect(await client.response()).toMatchObject({ status: 200 })
  })
})

test('the body of a GET request is drained', async () => {
  const { connect } = await openServer()
  const client = connect().send(toRequest('GET /v1/inventory', [authorization], '{"a":1}'))
  expect(await client.response()).toMatchObject({ status: 200 })
  expect(await client.send(toRequest('GET /healthz')).response()).toMatchObject({ status: 200 })
})

test('bodies beyond the share of a client respond with 503 sandbox_capacity', async () => {
  const { connect, expectUnharmed, send } = await openServer({ limits: { receivedBytes: 80_000 } })
  const first = connect().send(patchHead('Content-Length: 15000') + ' '.repeat(14_999))
  await expectUnharmed()
  const rejected = await send(patchHead('Content-Length: 15000') + ' '.repeat(14_999))
  expectProblem(rejected, 503, 'sandbox_capacity')
  expect(JSON.parse(rejected.text).message).toContain('not a limit of the service')
  expect(rejected.headers.get('retry-after')).toBe('10')
  expectProblem(await first.send(' ').response(), 400, 'invalid_json')
  const later = await send(patchHead('Content-Length: 15000') + ' '.repeat(15_000))
  expectProblem(later, 400, 'invalid_json')
  await expectUnharmed()
})

test('Expect: 100-continue responds with 100 and then with the response', async () => {
  const { connect, world } = await openServer()
  const client = connect().send(patchHead('Content-Length: 14', 'Expect: 100-continue'))
  expect((await client.response()).status).toBe(100)
  expect(await client.send('{"quantity":5}').response()).toMatchObject({ status: 200 })
  expect(world.db.pets.find('1')?.quantity).toBe(5)
})

test('a malformed chunk responds with 400 and changes nothing', async () => {
  const { connect, expectUnharmed } = await openServer({ limits: { lingerMs: 20 } })
  const client = connect().send(`${patchHead('Transfer-Encoding: chunked')}zz\r\n`)
  const response = await client.response()
  expectProblem(response, 400, 'malformed_request')
  expect(response.headers.get('connection')).toBe('close')
  await client.closed()
  await expectUnharmed()
})

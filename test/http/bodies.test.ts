import { expect, test } from 'vitest'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

const json = 'Content-Type: application/json'
const patchHead = (...lines: string[]) =>
  ['PATCH /v1/inventory/1 HTTP/1.1', 'Host: a', authorization, json, ...lines, '', ''].join('\r\n')
const megabyte = 1_048_576

test('a body in chunks is read as one that announces its length', async () => {
  const { send, world } = await openServer()
  const chunks = '6\r\n{"quan\r\n8\r\ntity":5}\r\n0\r\n\r\n'
  expect(await send(patchHead('Transfer-Encoding: chunked') + chunks)).toMatchObject({
    status: 200,
  })
  expect(world.db.findItem('1')?.quantity).toBe(5)
})

test('a body past 64 KiB is answered 413 and leaves the connection usable', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${megabyte}`) + ' '.repeat(megabyte))
  expectProblem(await client.answer(), 413, 'payload_too_large')
  expect(await client.send(toRequest('GET /healthz')).answer()).toMatchObject({ status: 200 })
  await expectUnharmed()
})

test('a body that announces more than 1 MiB is answered before any of it is sent', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${megabyte + 1}`))
  const answer = await client.answer()
  expectProblem(answer, 413, 'payload_too_large')
  expect(answer.headers.get('connection')).toBe('close')
  // It is a call like any other: its quota is counted.
  expect(answer.headers.has('x-ratelimit-limit')).toBe(true)
  await expectUnharmed()
})

test('a client that goes on sending 3 MiB can still read why it was refused', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(patchHead(`Content-Length: ${3 * megabyte}`))
  for (let sent = 0; sent < 3; sent++) client.send(Buffer.alloc(megabyte, ' '))
  expectProblem(await client.answer(), 413, 'payload_too_large')
  await client.closed()
  await expectUnharmed()
})

test('a body in chunks is read no further than 1 MiB', async () => {
  const { connect, expectUnharmed } = await openServer({ limits: { lingerMs: 20 } })
  const client = connect().send(patchHead('Transfer-Encoding: chunked'))
  const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
  for (let sent = 0; sent < 17; sent++) client.send(chunk)
  const answer = await client.answer()
  expectProblem(answer, 413, 'payload_too_large')
  expect(answer.headers.get('connection')).toBe('close')
  await client.closed()
  await expectUnharmed()
})

test('a body past 1 MiB where nothing takes one is answered 413', async () => {
  const { send, expectUnharmed } = await openServer()
  const request = toRequest('POST /nothing', [`Content-Length: ${megabyte + 1}`])
  expectProblem(await send(request), 413, 'payload_too_large')
  await expectUnharmed()
})

test('steering takes a scenario of 2 MiB', async () => {
  const { send } = await openServer()
  const body = `{"scenario":{"name":"big","description":"${'x'.repeat(2 * megabyte)}"}}`
  const answer = await send(toRequest('PUT /sandbox/scenario', [authorization, json], body))
  expect(answer.status).not.toBe(413)
})

test('a body that operations do not look at is no obstacle', async () => {
  const { connect } = await openServer()
  const client = connect().send(toRequest('GET /v1/inventory', [authorization], '{"a":1}'))
  expect(await client.answer()).toMatchObject({ status: 200 })
  expect(await client.send(toRequest('GET /healthz')).answer()).toMatchObject({ status: 200 })
})

test('a client that leaves in the middle of its body changes nothing', async () => {
  const { connect, world, expectUnharmed } = await openServer()
  const client = connect().send(`${patchHead('Content-Length: 14')}{"quantity"`)
  // The connection is known to be read once the next one is answered.
  await expectUnharmed()
  const recorded = world.journal.size
  client.abort()
  await expectUnharmed()
  expect(world.journal.size).toBe(recorded + 1)
})

test('bodies that would be held past the limit are answered 503 sandbox_capacity', async () => {
  const { connect, expectUnharmed, send } = await openServer({ limits: { heldBodyBytes: 20_000 } })
  const first = connect().send(patchHead('Content-Length: 15000') + ' '.repeat(14_999))
  await expectUnharmed()
  const refused = await send(patchHead('Content-Length: 15000') + ' '.repeat(14_999))
  expectProblem(refused, 503, 'sandbox_capacity')
  expect(JSON.parse(refused.text).message).toContain('no limit of the service')
  expect(refused.headers.has('x-ratelimit-limit')).toBe(false)
  expectProblem(await first.send(' ').answer(), 400, 'invalid_json')
  const later = await send(patchHead('Content-Length: 15000') + ' '.repeat(15_000))
  expectProblem(later, 400, 'invalid_json')
  await expectUnharmed()
})

test('Expect: 100-continue is told to go on, and then answered', async () => {
  const { connect, world } = await openServer()
  const client = connect().send(patchHead('Content-Length: 14', 'Expect: 100-continue'))
  expect((await client.answer()).status).toBe(100)
  expect(await client.send('{"quantity":5}').answer()).toMatchObject({ status: 200 })
  expect(world.db.findItem('1')?.quantity).toBe(5)
})

test('Expect: 100-continue is not told to go on with a body that is too large', async () => {
  const { send, expectUnharmed } = await openServer()
  const request = patchHead(`Content-Length: ${megabyte + 1}`, 'Expect: 100-continue')
  expectProblem(await send(request), 413, 'payload_too_large')
  await expectUnharmed()
})

test('a chunk that is malformed is answered 400 and changes nothing', async () => {
  const { connect, expectUnharmed } = await openServer({ limits: { lingerMs: 20 } })
  const client = connect().send(`${patchHead('Transfer-Encoding: chunked')}zz\r\n`)
  const answer = await client.answer()
  expectProblem(answer, 400, 'malformed_request')
  expect(answer.headers.get('connection')).toBe('close')
  await client.closed()
  await expectUnharmed()
})

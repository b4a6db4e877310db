import { expect, test } from 'vitest'
import { createSleep } from '../../support/sleep.js'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

const json = 'Content-Type: application/json'
const body = '{"quantity":77}'
const patch = toRequest('PATCH /v1/inventory/1', [authorization, json], body)
const slowPatch = toRequest(
  'PATCH /v1/inventory/1',
  [authorization, json, 'Prefer: delay=30'],
  body,
)

const aborted = { status: 0, aborted: true, operation: 'updateInventory' }

test('a client that disconnects during a delay ends the request: the world does not change', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, world, readMetric } = await openServer({ sleep })
  const before = world.db.pets.find('1')?.quantity
  const client = connect().send(slowPatch)
  await asleep
  expect(await readMetric('waiting_bytes')).toBeGreaterThan(2_048)
  client.abort()
  const entry = await world.requests.waitFor('updateInventory')
  expect(entry).toMatchObject(aborted)
  expect(entry.explanation.at(-1)).toBe('aborted by the client before the response')
  expect(world.db.pets.find('1')?.quantity).toBe(before)
  expect(await readMetric('waiting_bytes')).toBe(0)
})

test('pipelined requests that wait behind a delayed one are not received before it ends', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, world, readMetric } = await openServer({ sleep })
  const client = connect().send(slowPatch)
  await asleep
  const delayed = await readMetric('waiting_bytes')
  client.send(slowPatch.repeat(4))
  await expect.poll(() => readMetric('waiting_bytes')).toBe(5 * delayed)
  client.abort()
  await world.requests.waitFor('updateInventory')
  await connect().send(toRequest('GET /healthz')).response()
  expect(world.requests.find()).toMatchObject([aborted])
  expect(await readMetric('waiting_bytes')).toBe(0)
})

test('delayed requests with more headers than a client may have waiting get 503', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, send, readMetric } = await openServer({
    sleep,
    limits: { waitingBytes: 16_000 },
  })
  const client = connect().send(slowPatch)
  await asleep
  expectProblem(await send(slowPatch), 503, 'sandbox_capacity')
  expect((await send(patch)).status).toBe(200)
  client.abort()
  await expect.poll(() => readMetric('waiting_bytes')).toBe(0)
})

test('a request whose late response has no room waits for nothing', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, send, world } = await openServer({ sleep, limits: { waitingBytes: 16_000 } })
  connect().send(slowPatch)
  await asleep
  world.faults.add({ type: 'delay', delayMs: 30_000, phase: 'after' })
  const before = world.db.pets.find('1')?.quantity
  expectProblem(await send(patch), 503, 'sandbox_capacity')
  expect(world.db.pets.find('1')?.quantity).toBe(before)
})

test('pipelined requests with more headers than a client may have waiting close the connection', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, world } = await openServer({ sleep, limits: { waitingBytes: 16_000 } })
  const client = connect().send(slowPatch)
  await asleep
  await client.send(slowPatch.repeat(4)).closed()
  expect(await world.requests.waitFor('updateInventory')).toMatchObject(aborted)
})

test('a client that disconnects during an upload releases the received bytes', async () => {
  const { connect, world, readMetric } = await openServer()
  const head = toRequest('PATCH /v1/inventory/1', [authorization, json, 'Content-Length: 60000'])
  const client = connect().send(head + ' '.repeat(30_000))
  await expect.poll(() => readMetric('received_bytes')).toBeGreaterThan(0)
  client.abort()
  expect(await world.requests.waitFor('updateInventory')).toMatchObject(aborted)
  expect(await readMetric('received_bytes')).toBe(0)
})

test('an upload without a valid key is rejected before its body is read', async () => {
  const { connect, readMetric } = await openServer()
  for (const key of ['', 'Authorization: Bearer nope']) {
    const lines = [json, 'Content-Length: 60000', ...(key === '' ? [] : [key])]
    const client = connect()
    client.send(toRequest('PATCH /v1/inventory/1', lines) + ' '.repeat(30_000))
    expect((await client.response()).status).toBe(401)
    expect(await readMetric('received_bytes')).toBe(0)
  }
})

test('Expect: 100-continue with an invalid key gets 401 without 100, and the connection closes', async () => {
  const { connect } = await openServer()
  const lines = [json, 'Content-Length: 15', 'Expect: 100-continue', 'Authorization: Bearer nope']
  const client = connect().send(toRequest('PATCH /v1/inventory/1', lines))
  expect(await client.response()).toMatchObject({ status: 401 })
  await client.closed()
})

test('an upload does not evict the world that it addresses', async () => {
  const { connect, fetch, server } = await openServer({ limits: { receivedBytes: 100_000 } })
  const key = 'Authorization: Bearer sbx_free_default_upload'
  const read = async () => {
    const [, apiKey = ''] = key.split('Bearer ')
    const response = await fetch('/sandbox', { headers: { Authorization: `Bearer ${apiKey}` } })
    return response.headers.get('sandbox-world-generation')
  }
  const generation = await read()
  const lines = [key, json, 'Content-Length: 95000']
  const client = connect().send(toRequest('PUT /sandbox/scenario', lines) + ' '.repeat(90_000))
  expect(await client.response()).toMatchObject({ status: 503 })
  expect(server.sandbox.core.worlds.all()).toHaveLength(2)
  expect(await read()).toBe(generation)
})

test('the time to receive a request also runs while it waits for a response before its own', async () => {
  const { sleep, asleep } = createSleep()
  const { connect, world, readMetric } = await openServer({
    sleep,
    limits: { requestTimeoutMs: 200, headersTimeoutMs: 200 },
  })
  const client = connect().send(slowPatch)
  await asleep
  client.send(toRequest('PUT /sandbox/scenario', [authorization, json, 'Content-Length: 100'], ''))
  await client.closed()
  expect(await world.requests.waitFor('updateInventory')).toMatchObject(aborted)
  expect(await readMetric('waiting_bytes')).toBe(0)
})

test('a request that has been received may be delayed for longer than the time to receive it', async () => {
  const { sleep, wake } = createSleep()
  const { send, connect } = await openServer({
    sleep,
    limits: { requestTimeoutMs: 100, headersTimeoutMs: 100 },
  })
  const client = connect().send(slowPatch)
  // The server closes this connection when it looks for requests that are late.
  await connect().send('GET /healthz HTTP/1.1\r\n').response()
  await send(toRequest('GET /healthz'))
  wake()
  expect(await client.response()).toMatchObject({ status: 200 })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { errorTexts } from '../../../src/service/error-texts.js'
import { createSleep } from '../../support/sleep.js'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])
/** A comment of an event stream. */
const heartbeat = ':\n\n'
const waiting = toRequest('GET /v1/inventory', [authorization, 'Prefer: delay=30'])

test('a connection stays usable after errors', async () => {
  const { connect } = await openServer()
  const client = connect()
  const requests = [
    [toRequest('GET /v1/nope'), 404],
    [toRequest('GET /v1/inventory'), 401],
    [toRequest('GET //x'), 400],
    [toRequest('PATCH /v1/inventory/1', [authorization], '{'), 400],
    [toRequest('DELETE /'), 405],
    [toRequest('GET /nope'), 404],
    [list, 200],
  ] as const
  for (const [request, status] of requests) {
    expect(await client.send(request).response()).toMatchObject({ status })
  }
})

test('pipelined requests are answered in their order, HEAD without a body', async () => {
  const { connect } = await openServer()
  const client = connect()
  const lines = ['GET /v1/inventory', 'HEAD /v1/inventory', 'GET /v1/orders', 'GET /v1/inventory']
  for (let round = 0; round < 3; round++) {
    client.send(lines.map((line) => toRequest(line, [authorization])).join(''))
    const found: unknown[] = []
    for (const line of lines) {
      const { status, text } = await client.response(line.split(' ')[0])
      found.push([status, text === '' ? 0 : JSON.parse(text).length])
    }
    expect(found).toEqual([
      [200, 12],
      [200, 0],
      [404, undefined],
      [200, 12],
    ])
  }
  expect(client.rest).toBe('')
})

test('a connection with thousands of pipelined requests lets others in between', async () => {
  const { connect, world } = await openServer({ journalCapacity: 5_000 })
  const [flooding, other] = [connect(), connect()]
  for (const client of [flooding, other]) await client.send(list).response()
  // Both arrive before the server reads. It reads 64 KiB of the first ones at once.
  flooding.send(toRequest(`GET /v1/${'x'.repeat(900)}`, [authorization]).repeat(1_000))
  await other.send(toRequest('GET /v1/pets/2', [authorization])).response()
  const entries = world.requests.find()
  const before = entries.findIndex(({ operation }) => operation === 'getPet')
  expect(before).toBeGreaterThan(2)
  expect(before).toBeLessThan(100)
})

test('the response to a malformed request waits for the delayed response to the previous request', async () => {
  const { sleep, wake, asleep } = createSleep()
  const { connect } = await openServer({ sleep })
  const client = connect().send(waiting)
  await asleep
  client.send('nonsense\r\n\r\n')
  const probe = connect().send(toRequest('GET /healthz'))
  await probe.response()
  expect(client.rest).toBe('')
  wake()
  expect(await client.response()).toMatchObject({ status: 200 })
  expectProblem(await client.response(), 400, 'malformed_request')
})

test('a connection with too many pipelined requests is closed, and the first of them ends', async () => {
  const { sleep } = createSleep()
  const limits = { pipelinedRequests: 3 }
  const { connect, world } = await openServer({ sleep, limits })
  const client = connect().send(waiting.repeat(5))
  await client.closed()
  expect(client.rest).toBe('')
  await world.requests.waitFor({ status: 0 })
  // The others were not received yet: they are charged and recorded nowhere.
  expect(world.requests.find()).toMatchObject([{ aborted: true }])
})

describe('slow clients', () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }

  test.each([
    ['nothing', ''],
    ['half a request line', 'GET /v1/inv'],
    ['half a header section', 'GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    [
      'half a body',
      toRequest('PATCH /v1/inventory/1', [authorization, 'Content-Length: 14']).concat('{"quan'),
    ],
  ])('%s responds with 408 after the timeout', async (_, sent) => {
    const { connect, expectUnharmed } = await openServer({ limits })
    const client = connect().send(sent)
    const response = await client.response()
    expectProblem(response, 408, 'request_timeout', errorTexts.request_timeout.example)
    expect(response.headers.get('connection')).toBe('close')
    await client.closed()
    await expectUnharmed()
  })

  test('a delay may be longer than the time for which a connection may be idle', async () => {
    const { send } = await openServer({ limits: { idleTimeoutMs: 100 } })
    const headers = [authorization, 'Prefer: delay=0.4']
    const response = await send(toRequest('GET /v1/inventory', headers))
    expect(response.status).toBe(200)
  })

  test.each([
    [{ idleTimeoutMs: 60_000 }, 60_000, 10],
    [{}, 45_000, 3],
  ])('an event stream with the limits %j sends in %i ms %i comments', async (own, ms, count) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { connect } = await openServer({ limits: own })
    const client = connect().send(toRequest('GET /sandbox/events', [authorization]))
    await client.until('text/event-stream')
    expect(client.rest).not.toContain(heartbeat)
    vi.advanceTimersByTime(ms)
    await client.until(heartbeat.repeat(count))
  })

  test('a response has a Keep-Alive header with the idle time of a connection', async () => {
    const { send } = await openServer({ limits: { keepAliveTimeoutMs: 2_000 } })
    expect((await send(list)).headers.get('keep-alive')).toBe('timeout=2')
  })
})

describe('too many connections', () => {
  test('a connection beyond the limit gets 503 and is closed, and the others stay usable', async () => {
    const { connect } = await openServer({ limits: { clientConnections: 2 } })
    const first = connect().send(list)
    const second = connect().send(list)
    await Promise.all([first.response(), second.response()])
    const excess = connect().send(list)
    const response = await excess.response()
    const { example } = errorTexts.sandbox_capacity
    const message = example.replace(/\d+ connections/, '2 connections')
    expect(message).not.toBe(example)
    expectProblem(response, 503, 'sandbox_capacity', message)
    expect(response.headers.has('x-ratelimit-limit')).toBe(false)
    await excess.closed()
    expect(await first.send(list).response()).toMatchObject({ status: 200 })
    second.abort()
    await second.closed()
    // The server may not have noticed the closed connection yet.
    for (;;) {
      const next = connect().send(list)
      if ((await next.response()).status === 200) break
      await next.closed()
    }
  })

  test('a connection beyond the limit of the server closes an idle one', async () => {
    const { connect } = await openServer({ limits: { connections: 2 } })
    const idle = connect()
    await idle.send(list).response()
    const busy = connect()
    await busy.send(list).response()
    const third = connect()
    expect(await third.send(list).response()).toMatchObject({ status: 200 })
    await idle.closed()
    expect(await busy.send(list).response()).toMatchObject({ status: 200 })
  })

  test('health checks are answered beyond the limit', async () => {
    const { connect } = await openServer({ limits: { clientConnections: 1 } })
    await connect().send(list).response()
    for (const path of ['/healthz', '/readyz']) {
      const response = await connect()
        .send(toRequest(`GET ${path}`))
        .response()
      expect(response.status).toBe(200)
    }
  })
})

describe('closing', () => {
  test('waits for a delayed response and then closes its connection', async () => {
    const { sleep, wake, asleep } = createSleep()
    const { connect, server } = await openServer({ sleep })
    const client = connect().send(waiting)
    await asleep
    const closed = server.close()
    wake()
    const response = await client.response()
    expect(response.status).toBe(200)
    expect(response.headers.get('connection')).toBe('close')
    await closed
    await client.closed()
  })

  test('closes idle connections and accepts no new ones', async () => {
    const { connect, server } = await openServer()
    const client = connect()
    await client.send(list).response()
    await server.close()
    await client.closed()
    const late = connect()
    await late.closed()
    expect(late.rest).toBe('')
  })

  test('closes connections with pending responses after the timeout', async () => {
    const { sleep, asleep } = createSleep()
    const { connect, server } = await openServer({ sleep })
    const client = connect().send(waiting)
    await asleep
    await server.close({ timeoutMs: 10 })
    await client.closed()
    expect(client.rest).toBe('')
  })

  test('sends large responses completely to a slow client', async () => {
    const { connect, server } = await openServer({ scenario: 'large-catalogue' })
    const client = connect()
    const one = await client.send(list).response()
    client.pause()
    client.send(list.repeat(32))
    await server.sandbox.world.requests.waitFor('listInventory', { atLeast: 3, timeoutMs: 9_000 })
    const received = server.sandbox.world.journal.size - 1
    const closed = server.close()
    client.resume()
    for (let at = 0; at < received; at++) expect((await client.response()).text).toBe(one.text)
    await closed
  })

  test('keeps connections open during the notice, and closes each after its next response', async () => {
    const { sleep, wake } = createSleep()
    const { connect, server } = await openServer({ sleep })
    onTestFinished(wake)
    const [active, idle] = [connect(), connect()]
    await idle.send(list).response()
    const closed = server.close({ noticeMs: 10_000 })
    for (let count = 0; count < 2; count++) {
      const response = await active.send(list).response()
      expect(response.status).toBe(200)
      expect(response.headers.get('connection')).not.toBe('close')
    }
    wake()
    await nextTurn()
    const late = connect()
    await late.closed()
    expect(late.rest).toBe('')
    for (const client of [active, idle]) {
      const last = await client.send(list).response()
      expect(last.status).toBe(200)
      expect(last.headers.get('connection')).toBe('close')
      await client.closed()
    }
    await closed
  })

  test('closes connections after the notice when they were idle for the keep-alive timeout', async () => {
    const { sleep, wake } = createSleep()
    const { connect, server } = await openServer({ sleep, limits: { keepAliveTimeoutMs: 20 } })
    const client = connect()
    await client.send(list).response()
    const closed = server.close({ noticeMs: 10_000, timeoutMs: 2 ** 31 - 1 })
    wake()
    await client.closed()
    await closed
  })
})

import { describe, expect, test } from 'vitest'
import {
  authorization,
  expectProblem,
  openServer,
  toRequest,
  watchDefects,
} from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])
const waiting = toRequest('GET /v1/inventory', [authorization, 'Prefer: wait=30'])

/** A sleep that ends when a test says so. */
function createSleep() {
  let wake = () => {}
  const slept = new Promise<void>((resolve) => {
    wake = resolve
  })
  let fellAsleep = () => {}
  const asleep = new Promise<void>((resolve) => {
    fellAsleep = resolve
  })
  const sleep = () => {
    fellAsleep()
    return slept
  }
  return { sleep, wake, asleep }
}

test('a connection goes on after errors', async () => {
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
    expect(await client.send(request).answer()).toMatchObject({ status })
  }
})

test('requests in a row without waiting are answered in their order', async () => {
  const { connect } = await openServer()
  const pet = toRequest('GET /v1/pets/2', [authorization])
  const client = connect().send(list + toRequest('GET /healthz') + pet + list)
  expect(JSON.parse((await client.answer()).text)).toHaveLength(12)
  expect(JSON.parse((await client.answer()).text)).toEqual({ status: 'ok' })
  expect(JSON.parse((await client.answer()).text)).toMatchObject({ petId: 2 })
  expect(JSON.parse((await client.answer()).text)).toHaveLength(12)
})

test('what is malformed behind a request is answered after it', async () => {
  const { connect, expectUnharmed } = await openServer()
  const client = connect().send(`${list}nonsense\r\n\r\n`)
  expect(await client.answer()).toMatchObject({ status: 200 })
  expectProblem(await client.answer(), 400, 'malformed_request')
  await client.closed()
  await expectUnharmed()
})

test('what is malformed behind a request that waits is not taken for its answer', async () => {
  const { sleep, wake, asleep } = createSleep()
  const { connect } = await openServer({ sleep })
  const client = connect().send(waiting)
  await asleep
  client.send('nonsense\r\n\r\n')
  const probe = connect().send(toRequest('GET /healthz'))
  await probe.answer()
  expect(client.rest).toBe('')
  wake()
  expect(await client.answer()).toMatchObject({ status: 200 })
  expectProblem(await client.answer(), 400, 'malformed_request')
})

test('a client that leaves while its answer waits harms nothing', async () => {
  const defects = watchDefects()
  const { sleep, wake, asleep } = createSleep()
  const { connect, expectUnharmed } = await openServer({ sleep })
  const client = connect().send(waiting)
  await asleep
  client.abort()
  await client.closed()
  wake()
  await expectUnharmed()
  expect(defects).not.toHaveBeenCalled()
})

describe('slow clients', () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }

  test.each([
    ['nothing', ''],
    ['half a request line', 'GET /v1/inv'],
    ['half a header section', 'GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    ['half a body', toRequest('PATCH /v1/inventory/1', ['Content-Length: 14']).concat('{"quan')],
  ])('%s is answered 408 when its time is over', async (_, sent) => {
    const { connect, expectUnharmed } = await openServer({ limits })
    const client = connect().send(sent)
    const answer = await client.answer()
    expectProblem(answer, 408, 'request_timeout')
    expect(answer.headers.get('connection')).toBe('close')
    await client.closed()
    await expectUnharmed()
  })

  test('a reader that never reads is cut off', async () => {
    const { connect, server } = await openServer({
      scenario: 'large-catalogue',
      limits: { idleTimeoutMs: 50 },
    })
    const client = connect()
    client.pause()
    client.send(list.repeat(40))
    await expect.poll(() => server.sandbox.world.journal.size).toBeGreaterThan(2)
    await server.close()
    client.resume()
    await client.closed()
  })

  test('a stream of events lives on when nothing happens', async () => {
    const { connect } = await openServer({ limits: { idleTimeoutMs: 50 } })
    const client = connect().send(toRequest('GET /sandbox/events', [authorization]))
    await expect.poll(() => client.rest.split(':\n\n').length).toBeGreaterThan(15)
  })

  test('an idle connection is told how long it may stay', async () => {
    const { send } = await openServer({ limits: { keepAliveTimeoutMs: 2_000 } })
    expect((await send(list)).headers.get('keep-alive')).toBe('timeout=2')
  })
})

describe('too many connections', () => {
  test('one past the limit is told so and closed, and the others go on', async () => {
    const { connect } = await openServer({ limits: { connections: 2 } })
    const first = connect().send(list)
    const second = connect().send(list)
    await Promise.all([first.answer(), second.answer()])
    const excess = connect().send(list)
    const answer = await excess.answer()
    expectProblem(answer, 503, 'sandbox_capacity')
    expect(JSON.parse(answer.text).message).toContain('no limit of the service')
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
    await excess.closed()
    expect(await first.send(list).answer()).toMatchObject({ status: 200 })
    second.abort()
    await second.closed()
    await expect.poll(() => connect().send(list).answer()).toMatchObject({ status: 200 })
  })

  test('one past twice the limit is dropped', async () => {
    const { connect } = await openServer({ limits: { connections: 1 } })
    const kept = connect().send(list)
    await kept.answer()
    const refused = connect()
    const dropped = connect()
    await dropped.closed()
    expect(dropped.rest).toBe('')
    expectProblem(await refused.send(list).answer(), 503, 'sandbox_capacity')
    expect(await kept.send(list).answer()).toMatchObject({ status: 200 })
  })
})

describe('closing', () => {
  test('waits for an answer that is delayed, which is then the last of its connection', async () => {
    const { sleep, wake, asleep } = createSleep()
    const { connect, server } = await openServer({ sleep })
    const client = connect().send(waiting)
    await asleep
    const closed = server.close()
    wake()
    const answer = await client.answer()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('close')
    await closed
    await client.closed()
  })

  test('ends idle connections and takes no new ones', async () => {
    const { connect, server } = await openServer()
    const client = connect()
    await client.send(list).answer()
    await server.close()
    await client.closed()
    const late = connect()
    await late.closed()
    expect(late.rest).toBe('')
  })

  test('cuts off what is not answered when the time is over', async () => {
    const { sleep, asleep } = createSleep()
    const { connect, server } = await openServer({ sleep })
    const client = connect().send(waiting)
    await asleep
    await server.close({ timeoutMs: 10 })
    await client.closed()
    expect(client.rest).toBe('')
  })

  test('lets a slow reader have all of a large answer', async () => {
    const { connect, server } = await openServer({ scenario: 'large-catalogue' })
    const client = connect()
    const one = await client.send(list).answer()
    client.pause()
    const count = 40
    client.send(list.repeat(count))
    await expect.poll(() => server.sandbox.world.journal.size).toBeGreaterThan(2)
    const answered = server.sandbox.world.journal.size - 1
    const closed = server.close()
    client.resume()
    for (let at = 0; at < answered; at++) expect((await client.answer()).text).toBe(one.text)
    await closed
  })

  test('ends the streams of events', async () => {
    const { connect, server } = await openServer()
    const client = connect().send(toRequest('GET /sandbox/events', [authorization]))
    await client.until('the calls that reach this world')
    await server.close()
    await client.closed()
  })

  test('is done at once when the server never listened, and twice is once', async () => {
    const { server } = await openServer()
    await Promise.all([server.close(), server.close()])
  })

  test('answers /readyz 503 while it gives notice, and everything else as before', async () => {
    const { sleep, wake } = createSleep()
    const { fetch, server } = await openServer({ sleep })
    expect((await fetch('/readyz')).status).toBe(200)
    const closed = server.close({ noticeMs: 10_000 })
    const ready = await fetch('/readyz')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ code: 'sandbox_capacity', status: 503 })
    expect((await fetch('/healthz')).status).toBe(200)
    const headers = { Authorization: 'Bearer sbx_free' }
    expect((await fetch('/v1/inventory', { headers })).status).toBe(200)
    wake()
    await closed
  })
})

import { delay, HttpResponse } from 'msw'
import { describe, expect, vi } from 'vitest'
import { RateLimitError, ServerError } from '../src/errors.js'
import { createClient, error, limited, test, truncated } from './support.js'

const unavailable = () => error(503, 'service_unavailable')

describe('a failure of the service', () => {
  test('is retried with exponential back-off', async ({ service }) => {
    service.fail(unavailable, 3)
    const { client, waits } = createClient(service)
    expect(await client.listInventory()).toHaveLength(3)
    // The upper limits are 500, 1000 and 2000 ms.
    expect(waits).toEqual([375, 750, 1_500])
    expect(service.requests).toHaveLength(4)
  })

  test('is reported after three retries', async ({ service }) => {
    service.fail(unavailable)
    const { client, waits } = createClient(service)
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    expect(waits).toHaveLength(3)
    expect(service.requests).toHaveLength(4)
  })

  test('is retried with a limited back-off', async ({ service }) => {
    service.fail(unavailable, 6)
    const retry = { retries: 6 }
    const { client, waits } = createClient(service, { retry, circuit: { failures: 9 } })
    await client.listInventory()
    expect(waits).toEqual([375, 750, 1_500, 3_000, 6_000, 6_000])
  })

  test.for([
    [0, 250],
    [0.99, 497.5],
  ] as const)('is retried with jitter: %d', async ([random, wait], { service }) => {
    service.fail(unavailable, 1)
    const { client, waits } = createClient(service, { random: () => random })
    await client.listInventory()
    expect(waits).toEqual([wait])
  })

  test('is retried with random jitter by default', async ({ service }) => {
    service.fail(unavailable, 3)
    const { client, waits } = createClient(service, { random: undefined })
    await client.listInventory()
    expect(waits[0]).toSatisfy((ms: number) => ms >= 250 && ms < 500)
    expect(waits).not.toEqual([375, 750, 1_500])
  })

  test.for([
    ['a reset', HttpResponse.error],
    ['a truncated body', truncated],
  ] as const)('is retried after %s', async ([, respond], { service }) => {
    service.fail(() => respond(), 1)
    const { client, waits } = createClient(service)
    await client.updateInventory(1n, 3)
    expect(waits).toEqual([375])
    expect(service.pets.get('1')?.quantity).toBe(3)
    expect(service.find('PATCH', '/v1/inventory/1')).toHaveLength(2)
  })

  test('is retried after a timeout', async ({ service, onTestFinished }) => {
    service.fail(() => delay('infinite').then(() => HttpResponse.error()), 1)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(20))
    onTestFinished(() => timeout.mockRestore())
    const { client, waits } = createClient(service)
    await client.listInventory()
    expect(waits).toEqual([375])
    expect(timeout).toHaveBeenLastCalledWith(10_000)
  })

  test('is not retried for a message, which could be sent twice', async ({ service }) => {
    service.fail(unavailable)
    const { client, waits } = createClient(service)
    await expect(client.sendMessage('Hello')).rejects.toThrow(ServerError)
    expect(waits).toEqual([])
    expect(service.requests).toHaveLength(1)
  })
})

test('the client recovers from failures of several kinds', async ({ service }) => {
  const { client } = createClient(service)
  for (let count = 0; count < 30; count += 1) {
    if (count % 5 === 1) service.fail(unavailable, 1)
    if (count % 5 === 2) service.fail(() => error(500, 'failed'), 1)
    if (count % 5 === 3) service.fail(() => HttpResponse.error(), 1)
    if (count % 5 === 4) service.fail(truncated, 1)
    expect(await client.listInventory()).toHaveLength(3)
  }
  expect(service.requests).toHaveLength(54)
})

describe('Retry-After', () => {
  test('is waited for, with jitter, when the limit is exceeded', async ({ service }) => {
    service.fail(() => limited(60), 1)
    const { client, waits } = createClient(service)
    expect(await client.listInventory()).toHaveLength(3)
    expect(waits).toEqual([60_375])
    expect(service.requests).toHaveLength(2)
  })

  test('is waited for when a message was rejected', async ({ service }) => {
    service.fail(() => limited(60), 1)
    const { client, waits } = createClient(service)
    await client.sendMessage('Hello')
    expect(waits).toEqual([60_375])
    expect(service.messages).toEqual(['Hello'])
  })

  test('is waited for after a 503', async ({ service }) => {
    service.fail(() => error(503, 'busy', 'busy', { 'Retry-After': '7' }), 1)
    const { client, waits } = createClient(service)
    await client.listInventory()
    expect(waits).toEqual([7_375])
  })

  test('is waited for up to two minutes', async ({ service }) => {
    service.fail(() => limited(120), 1)
    const { client, waits } = createClient(service)
    await client.listInventory()
    expect(waits).toEqual([120_375])
  })

  test.for([
    ['rate_limit_exceeded', 86_400],
    ['api_key_banned', 600],
  ] as const)('is too long for %s', async ([code, seconds], { service }) => {
    service.fail(() => limited(seconds, code))
    const { client, waits } = createClient(service)
    const list = client.listInventory()
    await expect(list).rejects.toThrow(RateLimitError)
    await expect(list).rejects.toMatchObject({ code, status: 429, retryAfterMs: seconds * 1_000 })
    expect(waits).toEqual([])
    expect(service.requests).toHaveLength(1)
  })
})

test('a request can be aborted during the back-off', async ({ service }) => {
  service.fail(unavailable)
  const abort = new AbortController()
  const clock = {
    now: () => 0,
    sleep: async (_: number, signal?: AbortSignal) => {
      abort.abort('left the page')
      signal?.throwIfAborted()
    },
  }
  const { client } = createClient(service, { clock })
  await expect(client.listInventory({ signal: abort.signal })).rejects.toBe('left the page')
  expect(service.requests).toHaveLength(1)
})

import { test } from 'petstore-sandbox/vitest'
import { describe, expect, vi } from 'vitest'
import { RateLimitError, ServerError } from '../src/errors.js'
import { createClient } from './support.js'

describe('a failure of the service', () => {
  test('is retried with exponential back-off', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503, atMost: 3 })
    const { client, waits } = createClient(sandbox)
    expect(await client.listInventory()).toHaveLength(12)
    // The upper limits are 500, 1000 and 2000 ms.
    expect(waits).toEqual([375, 750, 1_500])
    expect(sandbox).toHaveReceived('listInventory', { times: 3, status: 503 })
    expect(sandbox).toHaveReceived('listInventory', { times: 1, status: 200 })
  })

  test('is reported after three retries', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503 })
    const { client, waits } = createClient(sandbox)
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    expect(waits).toHaveLength(3)
    expect(sandbox.world.requests.count()).toBe(4)
  })

  test('is retried with a limited back-off', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503, atMost: 6 })
    const retry = { retries: 6 }
    const { client, waits } = createClient(sandbox, { retry, circuit: { failures: 9 } })
    await client.listInventory()
    expect(waits).toEqual([375, 750, 1_500, 3_000, 6_000, 6_000])
  })

  test.for([
    [0, 250],
    [0.99, 497.5],
  ] as const)('is retried with jitter: %d', async ([random, wait], { sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503, atMost: 1 })
    const { client, waits } = createClient(sandbox, { random: () => random })
    await client.listInventory()
    expect(waits).toEqual([wait])
  })

  test('is retried with random jitter by default', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503, atMost: 3 })
    const { client, waits } = createClient(sandbox, { random: undefined })
    await client.listInventory()
    expect(waits[0]).toSatisfy((ms: number) => ms >= 250 && ms < 500)
    expect(waits).not.toEqual([375, 750, 1_500])
  })

  test.for([
    { type: 'reset', atMost: 1 },
    { type: 'truncate', atMost: 1 },
  ] as const)('is retried after $type', async (fault, { sandbox }) => {
    sandbox.world.faults.add(fault)
    const { client, waits } = createClient(sandbox)
    await client.updateInventory(1n, 3)
    expect(waits).toEqual([375])
    expect(sandbox.world.db.pets.find('1')?.quantity).toBe(3)
    expect(sandbox).toHaveReceived('updateInventory', { times: 2, body: { quantity: 3 } })
  })

  test('is retried after a timeout', async ({ sandbox, onTestFinished }) => {
    sandbox.world.faults.add({ type: 'delay', delayMs: 60_000, atMost: 1 })
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(20))
    onTestFinished(() => timeout.mockRestore())
    const { client, waits } = createClient(sandbox)
    await client.listInventory()
    expect(waits).toEqual([375])
    expect(timeout).toHaveBeenLastCalledWith(10_000)
  })

  test('is not retried for a message, which could be sent twice', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503 })
    const { client, waits } = createClient(sandbox)
    await expect(client.sendMessage('Hello')).rejects.toThrow(ServerError)
    expect(waits).toEqual([])
    expect(sandbox).toHaveReceived('sendMessage', { times: 1 })
  })
})

describe('the client recovers in the scenario', () => {
  test.override({ scenario: 'flaky' })

  test('flaky', async ({ sandbox }) => {
    const { client } = createClient(sandbox)
    for (let count = 0; count < 30; count += 1) {
      expect(await client.listInventory()).toHaveLength(12)
    }
    for (const status of [200, 500, 503]) {
      expect(sandbox).toHaveReceived('listInventory', { status })
    }
    expect(sandbox.world.requests.count()).toBeGreaterThan(30)
  })
})

describe('Retry-After', () => {
  test('is waited for, with jitter, when the limit is exceeded', async ({ sandbox }) => {
    await sandbox.use('rate-limited')
    const { client, waits } = createClient(sandbox)
    expect(await client.listInventory()).toHaveLength(12)
    expect(waits).toEqual([60_375])
    expect(sandbox).toHaveReceived('listInventory', { times: 1, status: 429 })
    expect(sandbox).not.toHaveReceived('listInventory', { code: 'api_key_banned' })
  })

  test('is waited for when a message was rejected', async ({ sandbox }) => {
    await sandbox.use('rate-limited')
    const { client, waits } = createClient(sandbox)
    await client.sendMessage('Hello')
    expect(waits).toEqual([60_375])
    expect([...sandbox.world.db.messages.list()]).toHaveLength(1)
  })

  test('is waited for after a 503', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 503, retryAfterSeconds: 7, atMost: 1 })
    const { client, waits } = createClient(sandbox)
    await client.listInventory()
    expect(waits).toEqual([7_375])
  })

  test('is waited for up to two minutes', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 429, retryAfterSeconds: 120, atMost: 1 })
    const { client, waits } = createClient(sandbox)
    await client.listInventory()
    expect(waits).toEqual([120_375])
  })

  test.for([
    ['daily-quota-spent', 'rate_limit_exceeded', 86_400_000],
    ['banned-key', 'api_key_banned', 600_000],
  ] as const)('is too long in %s', async ([scenario, code, retryAfterMs], { sandbox }) => {
    await sandbox.use(scenario)
    const { client, waits } = createClient(sandbox)
    const list = client.listInventory()
    await expect(list).rejects.toThrow(RateLimitError)
    await expect(list).rejects.toMatchObject({ code, status: 429, retryAfterMs })
    expect(waits).toEqual([])
    expect(sandbox).toHaveReceived('listInventory', { times: 1 })
  })
})

test('a request can be aborted during the back-off', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'status', status: 503 })
  const abort = new AbortController()
  const clock = {
    now: () => 0,
    sleep: async (_: number, signal?: AbortSignal) => {
      abort.abort('left the page')
      signal?.throwIfAborted()
    },
  }
  const { client } = createClient(sandbox, { clock })
  await expect(client.listInventory({ signal: abort.signal })).rejects.toBe('left the page')
  expect(sandbox.world.requests.count()).toBe(1)
})

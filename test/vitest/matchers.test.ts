import { describe, expect } from 'vitest'
import { connect } from '../../src/connect.js'
import { type TestSandbox, test } from '../../src/vitest.js'
import { messageOf, setQuantity } from './requests.js'

// test/control/client/matchers.test.ts has what the matchers accept, also of remote worlds.
describe('toHaveReceived', () => {
  test('shows a similar request even if many others follow', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    for (let sent = 0; sent < 12; sent += 1) await sandbox.fetch('/inventory')
    const expected = { body: { quantity: 6 } }
    const message = messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))
    expect(message).toContain('(13):\n  (3 more not shown)\n  #1 PATCH /inventory/1')
  })
})

describe('a pending request', () => {
  /** Sends a request that a fault delays, after another one. Returns a function that aborts it. */
  async function sendPending(sandbox: TestSandbox): Promise<() => Promise<void>> {
    await sandbox.fetch('/store/orders')
    sandbox.world.faults.add({ type: 'delay', delayMs: 60_000, operation: 'listInventory' })
    const controller = new AbortController()
    const sent = sandbox.fetch('/inventory', { signal: controller.signal })
    await expect.poll(() => sandbox.world.requests.pending()).toHaveLength(1)
    return async () => {
      controller.abort()
      await expect(sent).rejects.toThrow()
    }
  }

  test('is named by assertions and counts that it may decide, and which fail', async ({
    sandbox,
  }) => {
    const { requests } = sandbox.world
    const url = new URL(sandbox.baseUrl).origin
    const remote = await connect({ url, apiKey: sandbox.apiKey, fetch: sandbox.fetch })
    const abort = await sendPending(sandbox)
    const message = /^cannot tell whether[\s\S]*: GET \/inventory is pending; await it/
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      for (const expected of [
        ...[{}, { times: 0 }, { times: 1 }, { atMost: 0 }],
        ...[{ body: { a: 1 } }, { headers: { 'x-a': '1' } }, { sinceMs: 0 }],
      ]) {
        expect(() => assert.toHaveReceived('listInventory', expected)).toThrow(message)
      }
      expect(() => assert.toHaveReceivedInOrder(['listOrders', 'listInventory'])).toThrow(message)
    }
    const counts = 'cannot count the requests: GET /inventory is pending; await it first'
    for (const query of ['listInventory', {}, { path: '/inventory' }] as const) {
      expect(() => requests.count(query)).toThrow(counts)
      await expect(remote.requests.count(query)).rejects.toThrow(counts)
    }
    await abort()
    remote.close()
  })

  test('does not affect others, and counts when it is aborted', async ({ sandbox }) => {
    const { requests } = sandbox.world
    const abort = await sendPending(sandbox)
    expect(sandbox).not.toHaveReceived('getPet')
    expect(sandbox).not.toHaveReceived({ method: 'PATCH' })
    // It has no response with this status yet.
    expect(sandbox).not.toHaveReceived('listInventory', { status: 200 })
    expect(sandbox).not.toHaveReceived('listInventory', { atLeast: 2 })
    // What is recorded is enough.
    expect(sandbox).toHaveReceived({ method: 'GET' }, { atMost: 2 })
    expect(sandbox).toHaveReceivedInOrder(['listOrders'])
    expect(sandbox).not.toHaveReceivedInOrder(['listInventory', 'listOrders'])
    expect(sandbox).not.toHaveReceivedInOrder(['listOrders', 'getPet'])
    expect(requests.count('listOrders')).toBe(1)
    expect(requests.count({ unmatched: true })).toBe(0)
    await abort()
    expect(sandbox).toHaveReceived('listInventory', { times: 1, status: 0 })
    expect(sandbox).toHaveReceivedInOrder(['listOrders', 'listInventory'])
    expect(requests.count('listInventory')).toBe(1)
  })
})

describe('toHaveReceivedInOrder', () => {
  test('refuses to judge if a long body decides', async ({ sandbox }) => {
    await setQuantity(sandbox, 'x'.repeat(5_000))
    await setQuantity(sandbox, 5)
    const long = { operation: 'updateInventory', body: { quantity: expect.any(String) } } as const
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      expect(messageOf(() => assert.toHaveReceivedInOrder([long, 'updateInventory']))).toContain(
        'entry #1: the journal does not have the whole body',
      )
      expect(messageOf(() => assert.toHaveReceivedInOrder([]))).toContain('found an array of 0')
    }
    expect(sandbox).not.toHaveReceivedInOrder([long, long, long])
  })
})

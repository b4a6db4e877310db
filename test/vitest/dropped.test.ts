import { describe, expect } from 'vitest'
import { type TestSandbox, test } from '../../src/vitest.js'
import { messageOf, setQuantity } from './requests.js'

// The journal retains the last three requests.
test.override({ sandboxOptions: { journalCapacity: 3 }, plan: 'enterprise' })

/** Sends five requests. The journal drops the first two, which set a quantity. */
async function overflow(sandbox: TestSandbox): Promise<void> {
  await setQuantity(sandbox, 5)
  await setQuantity(sandbox, -1)
  for (let sent = 0; sent < 3; sent += 1) await sandbox.fetch('/inventory')
}

const unknown = { path: '/inventory/1' }

describe('after the journal has dropped entries', () => {
  test.for([
    [
      'not.toHaveReceived',
      (sandbox) => expect(sandbox).not.toHaveReceived('updateInventory', unknown),
    ],
    ['toHaveReceived', (sandbox) => expect(sandbox).toHaveReceived('updateInventory', unknown)],
    [
      'times',
      (sandbox) => expect(sandbox).toHaveReceived('updateInventory', { times: 0, ...unknown }),
    ],
    [
      'not times',
      (sandbox) => expect(sandbox).not.toHaveReceived('updateInventory', { times: 2, ...unknown }),
    ],
    [
      'atMost',
      (sandbox) => expect(sandbox).toHaveReceived('updateInventory', { atMost: 1, ...unknown }),
    ],
  ] as [string, (sandbox: TestSandbox) => void][])(
    '%s refuses to judge if they could matter, and says how to retain them',
    async ([, assert], { sandbox }) => {
      await overflow(sandbox)
      const message = messageOf(() => assert(sandbox))
      expect(message).toContain(
        'cannot tell whether the world received updateInventory with path /inventory/1',
      )
      expect(message).toContain('the journal has dropped 2 of 5 entries, of which 2 may match')
      expect(message).toContain('it retains 3; to retain more, raise journalCapacity')
    },
  )

  test('toHaveReceived judges what the counts by operation, status and code decide', async ({
    sandbox,
  }) => {
    await overflow(sandbox)
    expect(sandbox).toHaveReceived('updateInventory', { times: 2 })
    expect(sandbox).toHaveReceived('updateInventory', { times: 1, status: 400 })
    expect(sandbox).toHaveReceived(
      { code: expect.stringMatching(/^invalid_/) },
      { times: 1, method: 'patch' },
    )
    expect(sandbox).not.toHaveReceived('updateInventory', { times: 1 })
    expect(sandbox).not.toHaveReceived('listOrders')
    expect(sandbox).not.toHaveReceived('listOrders', { path: '/store/orders' })
    expect(sandbox).not.toHaveReceived('updateInventory', { status: 404, body: { quantity: 5 } })
    expect(sandbox).toHaveReceivedNothingUnmatched()
    expect(messageOf(() => expect(sandbox).not.toHaveReceived('updateInventory'))).toContain(
      'but it did',
    )
  })

  test('toHaveReceived judges what the retained entries decide', async ({ sandbox }) => {
    await overflow(sandbox)
    await setQuantity(sandbox, 9)
    expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: 9 } })
    expect(sandbox).toHaveReceived('updateInventory', { atMost: 3, ...unknown })
    expect(sandbox).not.toHaveReceived('updateInventory', { times: 0, ...unknown })
    expect(sandbox).not.toHaveReceived('updateInventory', { times: 4, ...unknown })
  })

  test('toHaveReceived judges entries that are newer than all dropped ones', async ({
    sandbox,
  }) => {
    sandbox.world.clock.freeze()
    await overflow(sandbox)
    sandbox.world.clock.advance(1_000)
    const sinceMs = sandbox.world.clock.now()
    await sandbox.fetch('/inventory')
    expect(sandbox).toHaveReceived('listInventory', { sinceMs, times: 1 })
    expect(sandbox).not.toHaveReceived('updateInventory', { sinceMs })
    expect(
      messageOf(() =>
        expect(sandbox).not.toHaveReceived('updateInventory', { sinceMs: sinceMs - 1_000 }),
      ),
    ).toContain('cannot tell')
  })

  test('toHaveReceivedInOrder refuses to judge if they could be the first ones', async ({
    sandbox,
  }) => {
    await overflow(sandbox)
    const message = messageOf(() =>
      expect(sandbox).toHaveReceivedInOrder(['updateInventory', 'listInventory']),
    )
    expect(message).toContain('the journal has dropped 2 of 5 entries; it retains 3')
    expect(sandbox).toHaveReceivedInOrder(['listInventory', 'listInventory', 'listInventory'])
    expect(sandbox).not.toHaveReceivedInOrder(['listInventory', 'updateInventory'])
    expect(sandbox).not.toHaveReceivedInOrder(['listOrders', 'listInventory'])
  })

  test('requests.count is exact, and throws if a dropped entry may match', async ({ sandbox }) => {
    await overflow(sandbox)
    await sandbox.fetch('/inventry')
    const { requests } = sandbox.world
    expect(requests.find()).toHaveLength(3)
    expect(requests.count()).toBe(6)
    expect(requests.count('updateInventory')).toBe(2)
    expect(requests.count({ status: 200 })).toBe(4)
    expect(requests.count({ unmatched: true })).toBe(1)
    expect(requests.count({ method: expect.any(String) })).toBe(6)
    expect(requests.count({ operation: 'listOrders', body: {} })).toBe(0)
    expect(() => requests.count({ operation: 'updateInventory', ...unknown })).toThrow(
      'cannot count the requests: the journal has dropped 3 of 6 entries, of which 2 may match',
    )
  })

  test('requests.waitFor counts them', async ({ sandbox }) => {
    await overflow(sandbox)
    const { requests } = sandbox.world
    expect(await requests.waitFor('listInventory', { times: 3 })).toMatchObject({ id: 5 })
    const third = requests.waitFor('updateInventory', { times: 3 })
    await setQuantity(sandbox, 7)
    expect(await third).toMatchObject({ id: 6 })
    await expect(requests.waitFor({ status: 400 })).rejects.toThrow(
      'its journal has dropped the entry',
    )
    await expect(requests.waitFor({ status: 400, ...unknown })).rejects.toThrow('may match')
  })

  test('clearing the journal forgets them', async ({ sandbox }) => {
    await overflow(sandbox)
    sandbox.world.journal.clear()
    expect(sandbox.world.requests.count()).toBe(0)
    expect(sandbox).not.toHaveReceived('updateInventory', unknown)
    await sandbox.use('default')
    await overflow(sandbox)
    expect(sandbox.world.requests.count()).toBe(5)
  })
})

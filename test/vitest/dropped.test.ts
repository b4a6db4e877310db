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

const dropped =
  'the journal has dropped 2 of 5 entries; to retain more than 3, raise journalCapacity, or call requests.clear() first'

describe('after the journal has dropped entries', () => {
  test.for([
    ['an absence', (sandbox) => expect(sandbox).not.toHaveReceived('listOrders')],
    ['a missing request', (sandbox) => expect(sandbox).toHaveReceived('updateInventory')],
    ['times: 0', (sandbox) => expect(sandbox).toHaveReceived('listOrders', { times: 0 })],
    ['times', (sandbox) => expect(sandbox).toHaveReceived('listInventory', { times: 3 })],
    ['not times', (sandbox) => expect(sandbox).not.toHaveReceived('listInventory', { times: 4 })],
    ['atLeast', (sandbox) => expect(sandbox).toHaveReceived('listInventory', { atLeast: 4 })],
    ['atMost', (sandbox) => expect(sandbox).toHaveReceived('listInventory', { atMost: 3 })],
    [
      'an order',
      (sandbox) => expect(sandbox).toHaveReceivedInOrder(['updateInventory', 'listInventory']),
    ],
    [
      'the absence of an order',
      (sandbox) => expect(sandbox).not.toHaveReceivedInOrder(['listInventory', 'updateInventory']),
    ],
    ['nothing unmatched', (sandbox) => expect(sandbox).toHaveReceivedNothingUnmatched()],
    ['count', (sandbox) => sandbox.world.requests.count('listInventory')],
  ] as [string, (sandbox: TestSandbox) => void][])(
    '%s fails and names the option, because dropped entries may decide',
    async ([, assert], { sandbox }) => {
      await overflow(sandbox)
      const message = messageOf(() => assert(sandbox))
      expect(message).toMatch(/^cannot (?:tell whether|count)/)
      expect(message).toContain(dropped)
    },
  )

  test('what the retained entries decide is judged', async ({ sandbox }) => {
    await overflow(sandbox)
    expect(sandbox).toHaveReceived('listInventory')
    expect(sandbox).toHaveReceived('listInventory', { atLeast: 3 })
    expect(sandbox).toHaveReceivedInOrder(['listInventory', 'listInventory', 'listInventory'])
    expect(sandbox).not.toHaveReceived('listInventory', { times: 2 })
    expect(sandbox).not.toHaveReceived('listInventory', { atMost: 2 })
    const absence = () => expect(sandbox).not.toHaveReceived('listInventory')
    expect(messageOf(absence)).toContain('but it did')
    await sandbox.fetch('/inventry')
    const unmatched = () => expect(sandbox).toHaveReceivedNothingUnmatched()
    expect(messageOf(unmatched)).toContain('but these did not')
  })

  test('requests.find returns what is retained', async ({ sandbox }) => {
    await overflow(sandbox)
    expect(sandbox.world.requests.find().map(({ id }) => id)).toEqual([3, 4, 5])
    expect(sandbox.world.requests.find('updateInventory')).toEqual([])
  })

  test('requests.waitFor resolves if enough are retained, and otherwise fails at once', async ({
    sandbox,
  }) => {
    await overflow(sandbox)
    const { requests } = sandbox.world
    expect(await requests.waitFor('listInventory', { atLeast: 3 })).toMatchObject({ id: 5 })
    await expect(requests.waitFor('listInventory', { atLeast: 4 })).rejects.toThrow(dropped)
    await expect(requests.waitFor('updateInventory')).rejects.toThrow(dropped)
  })

  test.for([
    ['clearing the journal', async ({ world }) => world.requests.clear()],
    ['a restart of the world', (sandbox) => sandbox.use('default')],
  ] as [string, (sandbox: TestSandbox) => Promise<void>][])(
    '%s forgets them',
    async ([, forget], { sandbox }) => {
      await overflow(sandbox)
      await forget(sandbox)
      expect(sandbox.world.requests.count()).toBe(0)
      await setQuantity(sandbox, 5)
      expect(sandbox).toHaveReceived('updateInventory', { times: 1 })
      expect(sandbox).not.toHaveReceived('listInventory')
    },
  )
})

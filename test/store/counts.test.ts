import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { MemoryStore } from '../support/memory-store.js'

const headers = { Authorization: 'Bearer sbx_enterprise_default_counts' }

async function open(store: MemoryStore) {
  const sandbox = await createSandbox({ store, journalCapacity: 3 })
  const world = await sandbox.worldFor('sbx_enterprise_default_counts')
  const send = async (path: string, times: number) => {
    for (let sent = 0; sent < times; sent += 1) {
      await sandbox.fetch(`https://api.petstore.example/v1${path}`, { headers })
    }
  }
  return { sandbox, world, send, requests: world.requests }
}

test.each([
  { kind: 'exclusive', isExclusive: true },
  { kind: 'shared', isExclusive: false },
])('a $kind store retains the counts of dropped journal entries', async ({ isExclusive }) => {
  const store = new MemoryStore(isExclusive)
  const first = await open(store)
  // Snapshots are taken meanwhile, and the store removes earlier records.
  await first.send('/inventory', 150)
  await first.send('/store/orders', 7)
  await first.send('/inventry', 5)
  const counts = { listInventory: 150, listOrders: 7, unmatched: 5, all: 162 }
  const read = ({ requests }: typeof first) => ({
    listInventory: requests.count('listInventory'),
    listOrders: requests.count({ operation: 'listOrders', status: 200 }),
    unmatched: requests.count({ unmatched: true }),
    all: requests.count(),
  })
  expect(read(first)).toEqual(counts)
  await first.sandbox.save()
  const second = await open(store)
  expect(read(second)).toEqual(counts)
  expect(second.requests.find().map(({ operation }) => operation)).toEqual(Array(3).fill(undefined))
  await second.send('/inventory', 1)
  expect(read(second)).toEqual({ ...counts, listInventory: 151, all: 163 })
  if (!isExclusive) {
    // A replica that shares the world reads the request of the other one.
    await first.send('/inventory', 1)
    expect(read(first)).toEqual({ ...counts, listInventory: 152, all: 164 })
  }
  second.world.reset()
  expect(second.requests.count()).toBe(0)
})

import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { MemoryStore } from '../support/memory-store.js'

const headers = { Authorization: 'Bearer sbx_enterprise_default_dropped' }

async function open(store: MemoryStore) {
  const sandbox = await createSandbox({ store, journalCapacity: 3 })
  const world = await sandbox.worldFor('sbx_enterprise_default_dropped')
  const send = async (times: number) => {
    for (let sent = 0; sent < times; sent += 1) {
      await sandbox.fetch('https://api.petstore.example/v1/inventory', { headers })
    }
  }
  return { sandbox, world, send, requests: world.requests }
}

test.each([
  { kind: 'exclusive', isExclusive: true },
  { kind: 'shared', isExclusive: false },
])('a $kind store knows how many journal entries were dropped', async ({ isExclusive }) => {
  const store = new MemoryStore(isExclusive)
  const first = await open(store)
  // Snapshots are taken meanwhile, and the store removes earlier records.
  await first.send(150)
  first.world.reset()
  expect(first.requests.count()).toBe(0)
  await first.send(160)
  expect(() => first.requests.count()).toThrow('the journal has dropped 157 of 160 entries')
  await first.sandbox.save()
  const second = await open(store)
  expect(() => second.requests.count()).toThrow('the journal has dropped 157 of 160 entries')
  await second.send(1)
  expect(() => second.requests.count()).toThrow('the journal has dropped 158 of 161 entries')
  if (!isExclusive) {
    // A replica that shares the world reads the request of the other one.
    await first.send(1)
    expect(() => first.requests.count()).toThrow('the journal has dropped 159 of 162 entries')
  }
  const { worlds } = second.sandbox.core
  await worlds.stored?.reload(worlds.all())
  second.world.requests.clear()
  await second.send(2)
  expect(second.requests.count()).toBe(2)
  await second.sandbox.save()
  expect((await open(store)).requests.count()).toBe(2)
})

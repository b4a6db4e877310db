import { expect, test } from 'vitest'
import { MemoryAccount } from '../../src/world/memory-account.js'

function createAccounts() {
  const full: string[] = []
  const onFull = ({ options }: MemoryAccount) => full.push(options.owner)
  const root = new MemoryAccount({ owner: 'this sandbox', limit: 100, onFull })
  const client = new MemoryAccount({ owner: 'this client', limit: 50, parent: root, onFull })
  const world = new MemoryAccount({ owner: 'this world', limit: 20, parent: client, onFull })
  return { root, client, world, full }
}

test('a reservation counts towards the account and those that contain it', () => {
  const { root, client, world } = createAccounts()
  world.reserve('data', 12)
  client.reserve('request bodies', 5)
  expect([world.used, client.used, root.used]).toEqual([12, 17, 17])
  expect(root.usage).toEqual({ data: 12, 'request bodies': 5 })
  world.release('data', 2)
  expect([world.used, client.used, root.used]).toEqual([10, 15, 15])
})

test.each([
  ['this world', 20, 21, 0, 0],
  ['this client', 50, 10, 45, 0],
  ['this sandbox', 100, 10, 0, 95],
])('a reservation that exceeds the limit of %s is rejected and changes nothing', (...row) => {
  const [owner, limit, bytes, ofClient, ofRoot] = row
  const { root, client, world, full } = createAccounts()
  client.reserve('data', ofClient)
  root.reserve('data', ofRoot)
  const before = [world.used, client.used, root.used]
  const message = `the sandbox has no memory left for this request: ${owner} may use ${limit} bytes; this is not a limit of the service`
  expect(() => world.reserve('messages', bytes)).toThrow(
    expect.objectContaining({ code: 'sandbox_capacity', message, retryAfterSeconds: 10 }),
  )
  expect([world.used, client.used, root.used]).toEqual(before)
  expect(full).toEqual([owner])
  expect(world.tryReserve('messages', bytes)).toBe(false)
})

test('a full account makes room, and the reservation succeeds', () => {
  const calls: unknown[] = []
  const root: MemoryAccount = new MemoryAccount({
    owner: 'this sandbox',
    limit: 100,
    makeRoom: (missing, requester) => {
      calls.push([missing, requester])
      old.close()
    },
  })
  const old = new MemoryAccount({ owner: 'this world', limit: 100, parent: root })
  const world = new MemoryAccount({ owner: 'this world', limit: 100, parent: root })
  old.reserve('data', 90)
  world.reserve('data', 30)
  expect(calls).toEqual([[20, world]])
  expect(root.used).toBe(30)
})

test('a closed account releases everything and counts nothing later', () => {
  const { root, world } = createAccounts()
  world.reserve('data', 12)
  world.close()
  expect([world.used, root.used]).toEqual([0, 0])
  world.reserve('data', 1_000)
  world.release('data', 1_000)
  expect([world.used, root.used]).toEqual([0, 0])
})

test('a large account leaves room in its parent for a small one', () => {
  const parent = new MemoryAccount({ owner: 'this sandbox', limit: 100 })
  const create = (leaves?: number) =>
    new MemoryAccount({ owner: 'this client', limit: 100, parent, leaves })
  const [large, small] = [create(16), create(16)]
  large.reserve('request bodies', 84)
  expect(large.tryReserve('request bodies', 1)).toBe(false)
  expect(small.tryReserve('request bodies', 2)).toBe(true)
  // Without the rule, the large account uses everything.
  const greedy = create()
  expect(greedy.tryReserve('request bodies', 14)).toBe(true)
  expect(small.tryReserve('request bodies', 1)).toBe(false)
})

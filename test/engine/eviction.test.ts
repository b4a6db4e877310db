import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/engine/client.js'
import { StoredWorlds } from '../../src/engine/persistence/stored-worlds.js'
import { platform } from '../../src/engine/platform.js'
import { availableTo } from '../../src/engine/registry.js'
import { Sandbox } from '../../src/engine/sandbox.js'
import type { SandboxSettings } from '../../src/engine/settings.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'
import { MemoryStore } from '../support/memory-store.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const minuteMs = 60_000
const kibibyte = 1_024

/** Creates a sandbox whose time the test sets. */
async function openSandbox(options: Partial<SandboxSettings> = {}) {
  let nowMs = 0
  const sandbox = await Sandbox.create(
    {
      library: new ScenarioLibrary(),
      platform: { ...platform, monotonic: () => nowMs },
      journalHeaders: new Set<string>(),
      journalCapacity: 10,
      maxWorlds: undefined,
      maxMemory: 512 * 1_024 * kibibyte,
      maxWorldMemory: 16 * 1_024 * kibibyte,
      retainMs: 15 * minuteMs,
      StoredWorlds,
      ...options,
    },
    'default',
  )
  const evicted: string[] = []
  const idle: number[] = []
  sandbox.evictions.add(({ world, idleMs }) => {
    evicted.push(world.name.label)
    idle.push(idleMs)
  })
  const createClient = (address: string, share = sandbox.settings.maxMemory): Client => ({
    address,
    isLocal: false,
    worldBytes: 0,
    worldLimit: share,
    chargeWorld: () => {},
    chargeControlRequest: () => {},
    takeTurn: () => Promise.resolve(),
    prepare: (task) => task(),
    openStream: () => () => {},
  })
  const open = async (label: string, client?: Client, plan = 'free') =>
    (await sandbox.keys.find(`sbx_${plan}_default_${label}`, 'production', client)).world
  const labels = () => sandbox.worlds.all().map(({ name }) => name.label)
  const wait = (ms: number) => {
    nowMs += ms
  }
  const [partner, other] = [createClient('192.0.2.1'), createClient('192.0.2.2')]
  return { sandbox, evicted, idle, createClient, partner, other, open, labels, wait }
}

test.each([
  [new MemoryStore(true), 1_000],
  [undefined, 1_102],
])(
  '1,000 worlds that are in a store remain in memory; removing others is no eviction',
  async (store, count) => {
    const { open, labels, evicted, sandbox } = await openSandbox({ store })
    const busy = await open('busy')
    busy.requestsInProgress += 1
    const name = { environment: 'production', scenario: 'default', label: 'reserved' } as const
    sandbox.worlds.reserve(name, sandbox.worlds.initialSeed)
    await open('reserved')
    for (let at = 0; at < 1_100; at++) await open(`w${at}`)
    const remaining = labels().filter((label) => label !== '')
    expect(remaining).toHaveLength(count)
    expect(remaining).toEqual(expect.arrayContaining(['busy', 'reserved', 'w1099']))
    expect(evicted).toEqual([])
    sandbox.worlds.release(name)
  },
)

describe('worlds in process', () => {
  test('the least recently used world is evicted beyond maxWorlds', async () => {
    const { open, labels } = await openSandbox({ maxWorlds: 3 })
    const first = await open('a')
    await open('b')
    expect(await open('a', undefined, 'pro')).toBe(first)
    await open('c')
    expect(labels()).toEqual(['', 'a', 'c'])
    expect(await open('a')).toBe(first)
  })

  test('one world besides the initial one always fits', async () => {
    const { open, labels } = await openSandbox({ maxWorlds: 1 })
    for (const label of ['a', 'b']) await open(label)
    expect(labels()).toEqual(['', 'b'])
  })

  test('a world that grows evicts others, and a discarded one counts towards no limit', async () => {
    const { sandbox, open, evicted } = await openSandbox({ maxMemory: 64 * kibibyte })
    const growing = await open('growing')
    const other = await open('a')
    await open('b')
    growing.checkRoom(16 * kibibyte)
    expect(evicted).toEqual(['a'])
    const message =
      'the sandbox is at its limit of 65536 bytes of all worlds; this is not a limit of the service'
    expect(() => growing.checkRoom(32 * kibibyte + 1)).toThrow(message)
    expect(evicted).toEqual(['a', 'b'])
    other.db.pets.add({ petId: 99, name: 'x'.repeat(50 * kibibyte) })
    expect(sandbox.worlds.bytes).toBe(32 * kibibyte)
  })

  test('the least recently used world is evicted when the memory is full', async () => {
    const { open, labels, evicted } = await openSandbox({ maxMemory: 80 * kibibyte })
    for (const label of ['a', 'b', 'c', 'd', 'a', 'e', 'f']) await open(label)
    expect(evicted).toEqual(['b', 'c'])
    expect(labels()).toEqual(['', 'd', 'a', 'e', 'f'])
  })

  test('a reserved world is not evicted', async () => {
    const { sandbox, open, evicted } = await openSandbox({ maxWorlds: 3 })
    const name = { environment: 'production', scenario: 'default', label: 'running' } as const
    sandbox.worlds.reserve(name, sandbox.worlds.initialSeed)
    await open('running')
    for (const label of ['a', 'b', 'c']) await open(label)
    expect(evicted).toEqual(['a', 'b'])
    sandbox.worlds.release(name)
    await open('d')
    expect(evicted).toEqual(['a', 'b', 'running'])
  })

  test('a world whose requests are in progress is not evicted', async () => {
    const { open, evicted } = await openSandbox({ maxWorlds: 3 })
    const world = await open('uploading')
    world.requestsInProgress += 1
    for (const label of ['a', 'b', 'c']) await open(label)
    world.requestsInProgress -= 1
    for (const label of ['d']) await open(label)
    expect(evicted).toEqual(['a', 'b', 'uploading'])
  })

  test('an evicted world is released, also if its key was used', async () => {
    const { sandbox } = await openSandbox({ maxWorlds: 4 })
    const references: WeakRef<object>[] = []
    for (let index = 0; index < 40; index++) {
      const holder = await sandbox.keys.find(`sbx_free_default_w${index}`, 'production')
      references.push(new WeakRef(holder.world))
    }
    // A WeakRef keeps its target until the current job ends.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    const retained = references.filter((reference) => reference.deref() !== undefined)
    expect(retained.length).toBeLessThanOrEqual(4)
  })

  test('a cached key does not reach an evicted or discarded world', async () => {
    const { sandbox, open } = await openSandbox({ maxWorlds: 2 })
    const first = await open('first')
    await open('second')
    const reopened = await open('first')
    expect(reopened).not.toBe(first)
    sandbox.worlds.reset()
    expect(await open('first')).not.toBe(reopened)
  })
})

describe('worlds of several clients', () => {
  test('a client that needs room evicts its own worlds first', async () => {
    const { open, evicted, partner, other } = await openSandbox({ maxWorlds: 4 })
    await open('partner', partner)
    for (const label of ['a', 'a', 'b', 'c', 'd', 'e']) await open(label, other)
    expect(evicted).toEqual(['a', 'b', 'c'])
  })

  test('a recently used world of another client is never evicted: 503', async () => {
    const { open, evicted, partner, other } = await openSandbox({ maxWorlds: 3 })
    const worlds = [await open('p1', partner), await open('p2', partner)]
    await expect(open('a', other)).rejects.toMatchObject({
      code: 'sandbox_capacity',
      retryAfterSeconds: 60,
      message:
        'the sandbox is at its limit of 3 worlds, and other clients use them; this is not a limit of the service',
    })
    expect(evicted).toEqual([])
    expect([await open('p1', partner), await open('p2', partner)]).toEqual(worlds)
  })

  test.each<[string, Partial<SandboxSettings>]>([
    ['without retention', { maxWorlds: 3, retainMs: 0 }],
    ['that is in a store', { maxWorlds: 4, store: new MemoryStore(true) }],
    ['that is in memory, if it is full', { maxMemory: 56 * kibibyte, retainMs: 0 }],
  ])('another client evicts a recently used world %s', async (_, options) => {
    const { open, wait, evicted, partner, other } = await openSandbox(options)
    await open('p1', partner)
    await open('p2', partner)
    wait(1)
    await open('a', other)
    expect(evicted).toEqual(['p1'])
  })

  test('a world that nobody used for the retention time is evicted', async () => {
    const { open, wait, evicted, idle, partner, other } = await openSandbox({ maxWorlds: 3 })
    wait(1)
    await open('p1', partner)
    wait(10 * minuteMs)
    await open('p2', partner)
    wait(5 * minuteMs)
    await expect(open('a', other)).rejects.toThrow('3 worlds')
    wait(1)
    await open('a', other)
    expect([evicted, idle]).toEqual([['p1'], [15 * minuteMs + 1]])
  })

  test('a client does not evict its own world while another client uses it', async () => {
    const { open, createClient, wait, evicted } = await openSandbox({ maxWorlds: 3 })
    const [owner, guest] = [createClient('192.0.2.1'), createClient('192.0.2.2')]
    await open('shared', owner)
    wait(16 * minuteMs)
    await open('shared', guest)
    await open('own', owner)
    await open('next', owner)
    wait(15 * minuteMs)
    for (const label of ['shared', 'next', 'last']) await open(label, owner)
    expect(evicted).toEqual(['own', 'next'])
  })

  test('a client evicts its own world that was also used in process', async () => {
    const { open, createClient, wait, evicted } = await openSandbox({ maxWorlds: 3 })
    const owner = createClient('192.0.2.1')
    await open('a', owner)
    wait(16 * minuteMs)
    await open('a')
    for (const label of ['b', 'c']) await open(label, owner)
    expect(evicted).toEqual(['a'])
  })

  test('a client that exceeds its share of the memory evicts only its own worlds', async () => {
    const { open, createClient, wait, evicted } = await openSandbox({ retainMs: 0 })
    const [partner, other] = [createClient('192.0.2.1'), createClient('192.0.2.2', 32 * kibibyte)]
    await open('partner', partner)
    wait(1)
    for (const label of ['a', 'b', 'c']) await open(label, other)
    expect(evicted).toEqual(['a'])
    const busy = await open('d', other)
    busy.requestsInProgress += 1
    busy.checkRoom(16 * kibibyte)
    await expect(open('e', createClient('192.0.2.3', 0))).rejects.toThrow(
      'of 0 bytes of the worlds of one client',
    )
    expect(() => busy.checkRoom(32 * kibibyte)).toThrow(
      'of 32768 bytes of the worlds of one client',
    )
    expect(evicted).toEqual(['a', 'b', 'c'])
    expect(other.worldBytes).toBe(16 * kibibyte)
  })

  test('a client that fills the memory evicts as few of its worlds as necessary', async () => {
    const { open, createClient, evicted } = await openSandbox({ maxMemory: 128 * kibibyte })
    const client = createClient('192.0.2.1')
    for (const label of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await open(label, client)
    expect(evicted).toEqual(['a'])
  })

  test('a world that does not grow needs no room in a full memory', async () => {
    const { open, createClient, evicted } = await openSandbox({ maxMemory: 128 * kibibyte })
    const world = await open('a', createClient('192.0.2.1'))
    for (const label of ['b', 'c', 'd', 'e', 'f', 'g']) await open(label)
    world.checkRoom(0)
    expect(() => world.checkRoom(1)).toThrow('of 131072 bytes of all worlds')
    expect(evicted).toEqual([])
  })

  test('a client that uses more than a 64th of a total leaves an eighth to others', () => {
    expect([100, 101].map((used) => availableTo(6_400, used))).toEqual([6_400, 5_600])
  })
})

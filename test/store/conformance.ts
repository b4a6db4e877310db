import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store, StoredWorld, Version } from '../../src/store/store.js'
import { createRandom, type Random } from '../abuse/random.js'
import { MemoryStore } from '../support/memory-store.js'

/** Where the stores of one test keep their data. */
export interface Backend {
  /** Opens a store. An exclusive store is closed before the next one is opened. */
  open(): Promise<Store>
  /** Removes the data. All stores are closed. */
  remove(): Promise<void>
}

const lineage = 'first-lineage'
const at = (number: number): Version => ({ lineage, number })
/** What `readSince` returns if the version has a number. */
const since = (number: number, ...steps: string[]): StoredWorld => ({
  version: at(number),
  base: undefined,
  steps,
})
const toStep = (number: number) => `step ${number}`

/** Ids that begin with other ones, and have all characters of ids. */
const ids = ['a', 'ab', 'a/', 'a/b', 'a/b/', 'a+b', 'a-b', 'A', '1', '/', '']

/** Declares the tests of the store contract for an implementation. */
export function testStore(name: string, create: () => Promise<Backend>): void {
  describe(`the store "${name}"`, () => {
    const { open, reopen } = useBackend(create)
    testVersions(open)
    testBases(open)
    testContent(open, reopen)
    test.each([1, 2, 3])(
      'agrees with a store in memory in 300 random steps of the seed %i',
      (seed) => compareWithModel(createRandom(seed), open, reopen),
    )
  })
}

/** Declares the tests for an implementation that several processes can use at the same time. */
export function testSharedStore(name: string, create: () => Promise<Backend>): void {
  testStore(name, create)
  describe(`two instances of the store "${name}"`, () => {
    const { open } = useBackend(create)
    testInstances(open)
  })
}

interface Opened {
  /** Opens a store that is closed after the test. */
  readonly open: () => Promise<Store>
  /** Closes a store and opens another one on the same data. */
  readonly reopen: (store: Store) => Promise<Store>
}

function useBackend(create: () => Promise<Backend>): Opened {
  let backend: Backend
  const stores = new Set<Store>()
  const open = async () => {
    const store = withoutAge(await backend.open())
    stores.add(store)
    return store
  }
  beforeEach(async () => {
    backend = await create()
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    stores.clear()
    await backend.remove()
  })
  const reopen = async (store: Store) => {
    stores.delete(store)
    await store.close()
    return open()
  }
  return { open, reopen }
}

/** Returns a store whose results have no age, which differs. */
function withoutAge(store: Store): Store {
  const strip = <Result extends object>(result: Result): Result => {
    const { ageMs = 0, ...rest } = result as Result & { ageMs?: number }
    expect(ageMs).toBeGreaterThanOrEqual(0)
    return rest as Result // its other fields
  }
  return {
    ...{ kind: store.kind, location: store.location },
    load: async (id) => {
      const world = await store.load(id)
      return world && strip(world)
    },
    append: (id, version, added) => store.append(id, version, added),
    removeOthers: (kept) => store.removeOthers(kept),
    saveSeed: (id, read) => store.saveSeed(id, read),
    loadSeed: (id) => store.loadSeed(id),
    check: () => store.check(),
    close: () => store.close(),
    ...(store.readSince && {
      readSince: async (id: string, version: Version) => {
        const found = await store.readSince?.(id, version)
        return found && strip(found)
      },
      follow: (id: string, listener: () => void) => follow(store, id, listener),
    }),
  }
}

function follow(store: Store, id: string, listener: () => void): () => void {
  return store.follow?.(id, listener) ?? expect.fail('the store is shared')
}

/** Appends the steps 1 to `count` to a world. */
async function appendSteps(store: Store, id: string, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    expect(await store.append(id, at(number), { step: toStep(number + 1) })).toBe(true)
  }
}

function testVersions(open: Opened['open']): void {
  test('load returns undefined for a world that does not exist', async () => {
    expect(await (await open()).load('a')).toBeUndefined()
  })

  test('append creates a world at the number 0 and stores each next step', async () => {
    const store = await open()
    await appendSteps(store, 'a', 3)
    const steps = ['step 1', 'step 2', 'step 3']
    expect(await store.load('a')).toEqual({ version: at(3), base: undefined, steps })
  })

  test('one of several concurrent appends to a version is stored', async () => {
    const store = await open()
    await appendSteps(store, 'a', 1)
    const appends = ['x', 'y', 'z'].map((step) => store.append('a', at(1), { step }))
    const results = await Promise.all(appends)
    const stored = (await store.load('a'))?.steps[1] ?? ''
    const expected = ['x', 'y', 'z'].map((step) => step === stored)
    expect(results).toEqual(expected)
  })

  test('removeOthers keeps the given worlds, which need not exist', async () => {
    const store = await open()
    await appendSteps(store, 'a', 2)
    await appendSteps(store, 'b', 1)
    await appendBase(store, 3)
    await store.removeOthers(['a', 'c'])
    expect((await store.load('a'))?.version).toEqual(at(3))
    expect(await store.load('b')).toBeUndefined()
    expect(await store.load('c')).toBeUndefined()
  })
}

/** Appends the step `base` to a world with a base. */
async function appendBase(store: Store, number: number, retained?: number): Promise<void> {
  const step = store.append('a', at(number - 1), {
    step: toStep(number),
    base: `base ${number}`,
    retained,
  })
  expect(await step).toBe(true)
}

function testBases(open: Opened['open']): void {
  test.each([
    [undefined, [4, 5]],
    [1, [4, 5]],
    [2, [3, 4, 5]],
    [9, [1, 2, 3, 4, 5]],
  ])('append of a base retains %s steps up to the base', async (retained, numbers) => {
    const store = await open()
    await appendSteps(store, 'a', 3)
    await appendBase(store, 4, retained)
    expect(await store.append('a', at(4), { step: toStep(5) })).toBe(true)
    const base = { number: 4, data: 'base 4' }
    const steps = numbers.map(toStep)
    expect(await store.load('a')).toEqual({ version: at(5), base, steps })
  })

  test('a world is loaded as a whole while bases replace its steps', async () => {
    const store = await open()
    await appendBase(store, 1)
    const loads: Promise<StoredWorld | undefined>[] = []
    for (let number = 2; number <= 60; number++) {
      const base = number % 7 === 0 ? `base ${number}` : undefined
      const appended = store.append('a', at(number - 1), {
        step: toStep(number),
        base,
        retained: 3,
      })
      loads.push(store.load('a'))
      await appended
    }
    for (const world of await Promise.all(loads)) {
      const { version, base, steps } = world ?? expect.fail('the world exists')
      expect(base?.data).toBe(`base ${base?.number}`)
      const first = version.number - steps.length + 1
      expect(first).toBeLessThanOrEqual((base?.number ?? 0) + 1)
      expect(steps).toEqual(steps.map((_, index) => toStep(first + index)))
    }
  })
}

function testContent(open: Opened['open'], reopen: Opened['reopen']): void {
  test('ids may begin like other ids', async () => {
    const store = await open()
    for (const id of ids) await store.append(id, at(0), { step: `step ${ids.indexOf(id)}` })
    for (const id of ids) {
      expect((await store.load(id))?.steps).toEqual([`step ${ids.indexOf(id)}`])
      await store.saveSeed(id, () => `seed ${ids.indexOf(id)}`)
    }
    await store.removeOthers(ids.filter((id) => id !== 'a'))
    for (const id of ids) {
      expect((await store.load(id)) === undefined).toBe(id === 'a')
      expect(await store.loadSeed(id)).toBe(`seed ${ids.indexOf(id)}`)
    }
  })

  test('saveSeed does not change a seed', async () => {
    const store = await open()
    expect(await store.loadSeed('a')).toBeUndefined()
    await store.saveSeed('a', () => 'seed')
    await store.saveSeed('a', () => expect.fail('the seed is stored'))
    expect(await store.loadSeed('a')).toBe('seed')
  })

  test('steps and bases may have 1 MB and any characters', async () => {
    const store = await open()
    const step = `"\u0000\n{}!\u2028ж🐈${'x'.repeat(1024 * 1024)}`
    await store.append('a', at(0), { step, base: step })
    await store.append('a', at(1), { step: '' })
    const base = { number: 1, data: step }
    expect(await store.load('a')).toEqual({ version: at(2), base, steps: [step, ''] })
  })

  test('close completes the writes, and the next store returns all data', async () => {
    const store = await open()
    const work: Promise<unknown>[] = []
    for (const id of ['a', 'b']) {
      await appendSteps(store, id, 19)
      await store.saveSeed(id, () => 'seed')
      work.push(store.append(id, at(19), { step: 'step 20', base: 'base' }))
    }
    const next = await reopen(store)
    await Promise.all(work)
    const base = { number: 20, data: 'base' }
    expect(await next.load('a')).toEqual({ version: at(20), base, steps: ['step 20'] })
    expect(await next.append('b', at(20), { step: 'step 21' })).toBe(true)
    expect(await next.loadSeed('b')).toBe('seed')
  })

  test('check resolves', async () => {
    const store = await open()
    await store.check()
  })
}

function testInstances(open: Opened['open']): void {
  test('readSince returns undefined, or all steps, if there are many', async () => {
    const store = await open()
    await appendSteps(store, 'a', 150)
    expect([undefined, 150]).toContain((await store.readSince?.('a', at(0)))?.steps.length)
    expect((await store.readSince?.('a', at(110)))?.steps).toHaveLength(40)
  })

  test('follow returns a function that can be called twice', async () => {
    const unfollow = follow(await open(), 'a', () => {})
    unfollow()
    unfollow()
  })

  test('an instance sees the steps of the other one', async () => {
    const [one, two] = [await open(), await open()]
    await appendSteps(one, 'a', 2)
    expect(await two.append('a', at(1), { step: 'other' })).toBe(false)
    expect(await two.append('a', at(2), { step: 'step 3' })).toBe(true)
    expect(await one.readSince?.('a', at(2))).toEqual(since(3, 'step 3'))
    expect(await one.load('a')).toEqual(await two.load('a'))
  })

  test('one of the appends of two instances to a version is stored', async () => {
    const stores = [await open(), await open()]
    for (let number = 0; number < 50; number++) {
      const appends = stores.map((store, index) =>
        store.append('a', at(number), { step: `by ${index}` }),
      )
      const results = await Promise.all(appends)
      expect(results.toSorted()).toEqual([false, true])
      const winner = results.indexOf(true)
      expect(await stores[0]?.readSince?.('a', at(number))).toEqual(
        since(number + 1, `by ${winner}`),
      )
    }
  })

  test('follow calls the listener when another instance appends', async () => {
    const [one, two] = [await open(), await open()]
    const calls = watch(two, 'a')
    for (let number = 0; number < 3; number++) {
      const before = await calls.settled()
      await one.append('a', at(number), { step: 'step' })
      await calls.after(before)
    }
  })

  test('follow calls the listener when another instance removes the world', async () => {
    const [one, two] = [await open(), await open()]
    await one.append('a', at(0), { step: 'step' })
    const calls = watch(two, 'a')
    const before = await calls.settled()
    await one.removeOthers([])
    await calls.after(before)
  })

  test('follow calls each of several listeners until it is removed', async () => {
    const [one, two] = [await open(), await open()]
    const first = watch(two, 'a')
    const second = watch(two, 'a')
    const counts = [await first.settled(), await second.settled()]
    first.stop()
    const before = first.count()
    await one.append('a', at(0), { step: 'step' })
    await second.after(counts[1] ?? 0)
    expect(first.count()).toBe(before)
    second.stop()
    const third = watch(two, 'b')
    const counted = [second.count(), await third.settled()]
    await one.append('a', at(1), { step: 'step' })
    await one.append('b', at(0), { step: 'step' })
    await third.after(counted[1] ?? 0)
    expect(second.count()).toBe(counted[0])
  })
}

/** Counts the calls of a listener. */
function watch(store: Store, id: string) {
  let count = 0
  let wake = () => {}
  const stop = follow(store, id, () => {
    count += 1
    wake()
  })
  const after = async (before: number) => {
    while (count <= before) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return count
  }
  // The first call tells that the subscription is active.
  return { stop, count: () => count, after, settled: () => after(count === 0 ? 0 : count - 1) }
}

/**
 * Performs random operations on a store and on one in memory, and compares the results: appends to the
 * latest, an earlier, a later and another version, with and without a base, of worlds that exist and
 * that do not, and reading since each of these.
 */
async function compareWithModel(
  random: Random,
  open: Opened['open'],
  reopen: Opened['reopen'],
): Promise<void> {
  let store = await open()
  const model = new MemoryStore(false)
  for (let step = 0; step < 300; step++) {
    const id = random.pick(['a', 'a/b', 'c/'])
    const version = toRandomVersion(random, await model.load(id))
    const kind = random.int(20)
    if (kind < 11) {
      const added = {
        step: `${step} ${random.string(random.int(200))}`,
        base: random.chance(0.2) ? `base ${step}` : undefined,
        retained: random.chance(0.2) ? undefined : 1 + random.int(4),
      }
      const expected = await model.append(id, version, added)
      expect(await store.append(id, version, added)).toEqual(expected)
    } else if (kind < 16) {
      const expected = await model.findSince(id, version)
      if (store.readSince) expect(await store.readSince(id, version)).toEqual(expected)
    } else if (kind === 16) {
      store = await reopen(store)
    } else if (kind === 17 && random.chance(0.5)) {
      const others = [...model.worlds.keys()].filter((other) => other !== id)
      await store.removeOthers(others)
      await model.removeOthers(others)
    }
    expect(await store.load(id)).toEqual(await model.load(id))
  }
}

function toRandomVersion(random: Random, world: StoredWorld | undefined): Version {
  const version = world?.version ?? { lineage: random.string(8), number: 0 }
  if (random.chance(0.7)) return version
  if (random.chance(0.1)) return { ...version, lineage: 'other' }
  return { ...version, number: Math.max(0, version.number + 1 - random.int(8)) }
}

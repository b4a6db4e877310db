import { describe, expect, test, vi } from 'vitest'
import { SessionStore } from '../../src/store/session.js'
import { testStore } from './conformance.js'
import { FakeStorage } from './fake-storage.js'

const openStore = (storage: Storage, prefix = 'prefix', warn: (text: string) => void = fail) =>
  new SessionStore(storage, prefix, warn)

function fail(text: string) {
  throw new Error(text)
}

testStore('session storage', async () => {
  const storage = new FakeStorage()
  return { open: async () => openStore(storage), remove: async () => {} }
})

const at = (number: number) => ({ lineage: 'lineage', number })
const step = 'x'.repeat(1000)

describe('a store in session storage', () => {
  test('writes about the length of the step for an append', async () => {
    const storage = new FakeStorage()
    const store = openStore(storage)
    for (let number = 0; number < 20; number++) await store.append('a', at(number), { step })
    const before = storage.written
    await store.append('a', at(20), { step })
    expect(storage.written - before).toBeLessThan(step.length + 100)
  })

  test('has stored a step before other tasks run', async () => {
    const storage = new FakeStorage()
    const stored = new Promise((resolve) => {
      setImmediate(() => resolve(storage.getItem('prefix!step!a!1')))
    })
    void openStore(storage).append('a', at(0), { step })
    expect(await stored).toBe(step)
  })

  test('does not see the worlds of another prefix, and ignores other items', async () => {
    const storage = new FakeStorage()
    storage.setItem('other', 'item')
    await openStore(storage, 'one').append('a', at(0), { step })
    await openStore(storage, 'two').removeOthers([])
    expect(await openStore(storage, 'two').load('a')).toBeUndefined()
    expect((await openStore(storage, 'one').load('a'))?.steps).toEqual([step])
    expect(storage.getItem('other')).toBe('item')
  })

  test('removes the steps before the bases if the storage is full', async () => {
    const storage = new FakeStorage()
    const store = openStore(storage)
    for (const id of ['a', 'b']) {
      for (let number = 0; number < 5; number++) {
        await store.append(id, at(number), {
          step,
          base: number === 3 ? 'base' : undefined,
          retained: 9,
        })
      }
    }
    storage.quota = storage.size
    expect(await store.append('a', at(5), { step })).toBe(true)
    const base = { number: 4, data: 'base' }
    for (const [id, number] of [['a', 6] as const, ['b', 5] as const]) {
      const steps = Array.from({ length: number - 4 }, () => step)
      expect(await store.load(id)).toEqual({ version: at(number), base, steps })
    }
  })

  test('does not store a world that does not fit, and says so once', async () => {
    const storage = new FakeStorage()
    const warn = vi.fn()
    const store = openStore(storage, 'prefix', warn)
    await store.append('a', at(0), { step, base: 'base' })
    await store.append('kept', at(0), { step })
    const kept = await store.load('kept')
    storage.quota = storage.size
    for (const [id, number] of [['a', 1] as const, ['b', 0] as const]) {
      expect(await store.append(id, at(number), { step: step.repeat(2) })).toBe(true)
      expect(await store.load(id)).toBeUndefined()
    }
    expect(await store.load('kept')).toEqual(kept)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^a world will be lost on reload: StoreError: .*quota/)],
    ])
    await store.saveSeed('seed', () => step.repeat(9))
    expect(await store.loadSeed('seed')).toBeUndefined()
    expect(warn).toHaveBeenCalledTimes(2)
  })

  test('retains no part of a new world that does not fit, at every size of the storage', async () => {
    for (let free = 0; free < 200; free += 1) {
      const storage = new FakeStorage()
      storage.quota = free
      const store = openStore(storage, 'prefix', () => {})
      await store.append('a', at(0), { step: 'step', base: 'b'.repeat(100) })
      expect(await store.load('a'), String(free)).toEqual(
        storage.size > 0 ? expect.anything() : undefined,
      )
    }
  })

  test('stores a world as a whole or not at all, at every size of the storage', async () => {
    const outcomes = new Set<string>()
    for (let free = 0; free < 300; free += 1) {
      const storage = new FakeStorage()
      const warn = vi.fn()
      const store = openStore(storage, 'prefix', warn)
      for (let number = 0; number < 12; number++) {
        await store.append('a', at(number), {
          step: 'step',
          base: number === 8 ? 'base' : undefined,
          retained: 5,
        })
      }
      storage.quota = storage.size + free
      const base = 'b'.repeat(200)
      expect(await store.append('a', at(12), { step: 'last', base, retained: 5 })).toBe(true)
      const world = await openStore(storage).load('a')
      outcomes.add(world ? `${world.steps.length} steps` : 'none')
      expect(warn).toHaveBeenCalledTimes(world ? 0 : 1)
      if (!world) continue
      expect(world.version).toEqual(at(13))
      expect(world.base).toEqual({ number: 13, data: base })
      expect(world.steps.at(-1)).toBe('last')
    }
    expect([...outcomes]).toEqual(['none', '1 steps', '5 steps'])
  })
})

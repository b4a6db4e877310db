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
const current = { type: 'current' }

describe('a store in session storage', () => {
  test('writes about the length of the step for an append', async () => {
    const storage = new FakeStorage()
    const store = openStore(storage)
    for (let number = 0; number < 20; number++) await store.append('a', at(number), step)
    const before = storage.written
    await store.append('a', at(20), step)
    expect(storage.written - before).toBeLessThan(step.length + 100)
  })

  test('has stored a step before other tasks run', async () => {
    const storage = new FakeStorage()
    const stored = new Promise((resolve) => {
      setImmediate(() => resolve(storage.getItem('prefix!step!a!1')))
    })
    void openStore(storage).append('a', at(0), step)
    expect(await stored).toBe(step)
  })

  test('does not see the worlds of another prefix, and ignores other items', async () => {
    const storage = new FakeStorage()
    storage.setItem('other', 'item')
    await openStore(storage, 'one').append('a', at(0), step)
    expect(await openStore(storage, 'two').list()).toEqual([])
    expect(await openStore(storage, 'one').list()).toEqual(['a'])
  })

  test('removes the steps before the bases if the storage is full', async () => {
    const storage = new FakeStorage()
    const store = openStore(storage)
    for (const id of ['a', 'b']) {
      for (let number = 0; number < 5; number++) await store.append(id, at(number), step)
      await store.compact(id, at(4), 'base', 9)
    }
    storage.quota = storage.size
    expect(await store.append('a', at(5), step)).toEqual(current)
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
    await store.append('a', at(0), step)
    await store.append('kept', at(0), step)
    await store.compact('a', at(1), 'base', 0)
    const kept = await store.load('kept')
    storage.quota = storage.size
    for (const [id, number] of [['a', 1] as const, ['b', 0] as const]) {
      expect(await store.append(id, at(number), step.repeat(2))).toEqual(current)
      expect(await store.load(id)).toBeUndefined()
    }
    expect(await store.load('kept')).toEqual(kept)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^a world will be lost on reload: StoreError: .*quota/)],
    ])
    await store.saveSeed('seed', step.repeat(9))
    expect(await store.loadSeed('seed')).toBeUndefined()
    expect(warn).toHaveBeenCalledTimes(2)
  })

  test('keeps the world at every size of the storage that compact finds full', async () => {
    for (let free = 0; free < 300; free += 1) {
      const storage = new FakeStorage()
      const store = openStore(storage)
      for (let number = 0; number < 12; number++) await store.append('a', at(number), 'step')
      await store.compact('a', at(9), 'base', 5)
      storage.quota = storage.size + free
      await store.compact('a', at(11), 'b'.repeat(200), 5).catch(() => undefined)
      const world = await store.load('a')
      expect(world?.version).toEqual(at(12))
      expect(world?.base?.data).toBe(world?.base?.number === 9 ? 'base' : 'b'.repeat(200))
      expect(world?.steps.length).toBeGreaterThanOrEqual(12 - (world?.base?.number ?? 0))
    }
  })
})

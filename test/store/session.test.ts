import { describe, expect, test } from 'vitest'
import { SessionStore } from '../../src/store/session.js'
import { StoreError } from '../../src/store/store.js'
import { testStore } from './conformance.js'
import { FakeStorage } from './fake-storage.js'

testStore('session storage', async () => {
  const storage = new FakeStorage()
  return { open: async () => new SessionStore(storage, 'prefix'), remove: async () => {} }
})

const at = (number: number) => ({ lineage: 'lineage', number })
const step = 'x'.repeat(1000)
const current = { type: 'current' }

describe('a store in session storage', () => {
  test('writes about the length of the step for an append', async () => {
    const storage = new FakeStorage()
    const store = new SessionStore(storage, 'prefix')
    for (let number = 0; number < 20; number++) await store.append('a', at(number), step)
    const before = storage.written
    await store.append('a', at(20), step)
    expect(storage.written - before).toBeLessThan(step.length + 100)
  })

  test('has stored a step when append returns its promise', () => {
    const storage = new FakeStorage()
    void new SessionStore(storage, 'prefix').append('a', at(0), step)
    expect(storage.getItem('prefix!1!a')).toBe(step)
  })

  test('does not see the worlds of another prefix, and ignores other items', async () => {
    const storage = new FakeStorage()
    storage.setItem('other', 'item')
    await new SessionStore(storage, 'one').append('a', at(0), step)
    expect(await new SessionStore(storage, 'two').list()).toEqual([])
    expect(await new SessionStore(storage, 'one').list()).toEqual(['a'])
  })

  test('removes the steps before the bases if the storage is full', async () => {
    const storage = new FakeStorage()
    const store = new SessionStore(storage, 'prefix')
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

  test('rejects an append if there is nothing to remove, and keeps the world', async () => {
    const storage = new FakeStorage()
    const store = new SessionStore(storage, 'prefix')
    await store.append('a', at(0), step)
    await store.compact('a', at(1), 'base', 0)
    const before = await store.load('a')
    storage.quota = storage.size
    await expect(store.append('a', at(1), step)).rejects.toThrow(StoreError)
    await expect(store.append('b', at(0), step)).rejects.toThrow(StoreError)
    expect(await store.load('a')).toEqual(before)
    storage.quota = Number.POSITIVE_INFINITY
    expect(await store.append('a', at(1), step)).toEqual(current)
  })

  test('keeps the world at every size of the storage that compact finds full', async () => {
    for (let free = 0; free < 300; free += 1) {
      const storage = new FakeStorage()
      const store = new SessionStore(storage, 'prefix')
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

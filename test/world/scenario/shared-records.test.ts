import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { recordsOf } from './support.js'

test('a scenario shares the generated records of a scenario that it extends', async () => {
  const library = new ScenarioLibrary()
  const { records } = await library.prepare('large-catalogue')
  const extended = { name: 'mine', extends: 'large-catalogue', deprecation: { sunsetAt: 'P9D' } }
  expect((await library.prepare(extended)).records).toBe(records)
  const reseeded = ['large-catalogue', 'flaky', { name: 'x', seed: 2 }]
  expect((await library.prepare(reseeded)).records).not.toBe(records)
})

test.each([
  { orders: [{ id: 1, petId: 1 }] },
  { messages: [{ id: 'a', message: 'Hi', createdAt: '2026-01-01T09:00:00Z' }] },
])('a scenario with other lists, such as %j, does not share the records', async (lists) => {
  const library = new ScenarioLibrary()
  const { records } = await library.prepare('default')
  const extended = { name: 'mine', extends: 'default' }
  expect((await library.prepare(extended)).records).toBe(records)
  const changed = await library.prepare({ ...extended, ...lists })
  expect(changed.records).not.toBe(records)
  expect([recordsOf(changed).orders.length, recordsOf(changed).messages.length]).toContain(1)
})

test('the records of a file that was replaced occupy no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const library = new ScenarioLibrary()
  const readFile = (name: string) => {
    library.replaceAdded([{ file: { name: 'mine', pets: [{ petId: 1, name }] }, source: 'a.json' }])
    return library.prepare('mine')
  }
  const before = new WeakRef((await readFile('Bella')).records)
  await readFile('Max')
  const isCollected = () => {
    collectGarbage()
    expect(before.deref()).toBeUndefined()
  }
  await vi.waitFor(isCollected, { timeout: 10_000 })
})

test('a scenario is read again, so that changes of the object have an effect', async () => {
  const library = new ScenarioLibrary()
  const store = { name: 'store', pets: [{ petId: 1, name: 'Bella', quantity: 4 }] }
  const before = await library.prepare(store)
  store.pets.push({ petId: 2, name: 'Max', quantity: 5 })
  const after = await library.prepare(store)
  expect([recordsOf(before).pets.length, recordsOf(after).pets.length]).toEqual([1, 2])
})

test('worlds that use the same snapshot do not affect each other, and the snapshot stays', async () => {
  const sandbox = await createSandbox()
  const [a, b] = [
    await sandbox.worldFor('sbx_free_default_a'),
    await sandbox.worldFor('sbx_free_default_b'),
  ]
  const snapshot = a.snapshot()
  const text = JSON.stringify(snapshot)
  await a.use(snapshot)
  await b.use(snapshot)
  a.db.pets.change('1', { quantity: 77 })
  a.db.pets.remove('2')
  expect([b.db.pets.find('1')?.quantity, b.db.pets.count]).toEqual([4, 12])
  await b.use(snapshot)
  expect(JSON.stringify({ ...b.snapshot(), description: snapshot.description })).toContain(
    JSON.stringify(snapshot.pets),
  )
  expect(JSON.stringify(snapshot)).toBe(text)
})

import { describe, expect, test } from 'vitest'
import { createSandbox, type Scenario } from '../../../src/index.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { RetainedValues } from '../../../src/world/scenario/retained.js'
import type { ScenarioSource } from '../../../src/world/scenario/source.js'
import { readScenarioError } from './support.js'

const mebibyte = 1_048_576

/** Creates a library and functions that prepare scenarios with it. */
function openLibrary() {
  const library = new ScenarioLibrary()
  library.retainUpTo(4 * mebibyte)
  const prepare = (source: unknown) =>
    library.prepare(source as ScenarioSource, undefined, { retains: true }) // may be invalid
  const prepareForClient = (source: ScenarioSource) => library.prepare(source)
  return { library, prepare, prepareForClient }
}

/** Returns a new scenario with the same content each time. */
function createStore() {
  return {
    name: 'store',
    pets: [
      { petId: 1, name: 'Bella', quantity: 4, tags: ['calm', 'shy'], origin: { farm: 'North' } },
      { petId: 2, name: 'Max', quantity: 5, tags: [], origin: { farm: 'South' } },
    ],
    orders: [{ id: 1, petId: 1, quantity: 1 }],
  }
}

describe('a scenario that is prepared again', () => {
  test.each<[string, (store: Scenario) => unknown]>([
    ['the same object', (store) => store],
    ['an equal object', createStore],
    ['another object with the same lists', (store) => ({ ...store, name: 'other', seed: 7 })],
    ['an array of which it is a part', (store) => [store, { name: 'slow', faults: [] }]],
  ])('shares its records if it is %s', async (_, change) => {
    const { prepare } = openLibrary()
    const store = createStore()
    const { template } = await prepare(store)
    expect((await prepare(change(store))).template).toBe(template)
  })

  test('shares the generated records of a scenario that it extends', async () => {
    const { prepare } = openLibrary()
    const { template } = await prepare('large-catalogue')
    const extended = { name: 'mine', extends: 'large-catalogue', deprecation: { sunsetAt: 'P9D' } }
    expect((await prepare(extended)).template).toBe(template)
    expect((await prepare(['large-catalogue', 'flaky', { name: 'x', seed: 2 }])).template).not.toBe(
      template,
    )
  })

  test('has its own settings', async () => {
    const { prepare } = openLibrary()
    const store = createStore()
    const seeds = [await prepare(store), await prepare({ ...store, name: 'other', seed: 7 })]
    expect(seeds.map(({ scenario, seed }) => [scenario, seed])).toEqual([
      ['store', 1],
      ['other', 7],
    ])
  })

  test.each<[string, (store: ReturnType<typeof createStore>) => void]>([
    ['a field', ({ pets }) => Object.assign(pets[0] ?? {}, { quantity: 0 })],
    ['a nested field', ({ pets }) => Object.assign(pets[1]?.origin ?? {}, { farm: 'East' })],
    ['an entry of an array in it', ({ pets }) => pets[0]?.tags.splice(0, 1, 'wild')],
    ['the length of an array in it', ({ pets }) => pets[0]?.tags.pop()],
    ['a new field', ({ pets }) => Object.assign(pets[0] ?? {}, { chip: 'A1' })],
    ['a removed field', ({ pets }) => Reflect.deleteProperty(pets[0] ?? {}, 'origin')],
    [
      'a field that becomes undefined',
      ({ pets }) => Object.assign(pets[0] ?? {}, { origin: undefined }),
    ],
    ['a new pet', ({ pets }) => pets.push({ ...createStore().pets[0], petId: 3 } as never)],
    ['a removed pet', ({ pets }) => pets.pop()],
    ['the order of the pets', ({ pets }) => pets.reverse()],
    ['the type of an id', ({ pets }) => Object.assign(pets[0] ?? {}, { petId: '1' })],
    ['an order', ({ orders }) => Object.assign(orders[0] ?? {}, { quantity: 9 })],
  ])('is read again after a change of %s', async (_, change) => {
    const { prepare } = openLibrary()
    const store = createStore()
    const before = await prepare(store)
    change(store)
    const after = await prepare(store)
    const expected = await openLibrary().prepareForClient(store as Scenario)
    expect([after.pets, after.orders]).toEqual([expected.pets, expected.orders])
    expect(after.template).not.toBe(before.template)
  })

  test.each([
    ['a date', new Date(0)],
    ['an instance of a class', new (class Farm {})()],
    ['NaN', Number.NaN],
  ])('is rejected after %s was put into it', async (_, value) => {
    const { prepare } = openLibrary()
    const store = createStore()
    await prepare(store)
    Object.assign(store.pets[0] ?? {}, { origin: value })
    expect(await readScenarioError(() => prepare(store))).toContain('pets[0].origin must be JSON')
  })
})

describe('retained values', () => {
  test('are released beyond the limit, the least recently used ones first', () => {
    const values = new RetainedValues<string>()
    values.limit = 100
    values.use('a', 40)
    values.use('b', 40)
    values.use('a', 40)
    values.use('c', 40)
    expect([[...values], values.bytes]).toEqual([['c', 'a'], 80])
    values.use('too large', 101)
    expect([[...values], values.bytes]).toEqual([['c', 'a'], 80])
    for (let count = 0; count < 40; count++) values.use(`small ${count}`, 1)
    expect([[...values].length, values.bytes]).toEqual([32, 32])
  })

  test('are none without a limit', () => {
    const values = new RetainedValues<string>()
    values.use('a', 1)
    expect([...values]).toEqual([])
  })
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
  expect(b.db.template).toBe(a.db.template)
  a.changePet('1', { quantity: 77 })
  a.removePet('2')
  expect([b.db.findItem('1')?.quantity, b.db.petCount]).toEqual([4, 12])
  await b.use(snapshot)
  expect(JSON.stringify({ ...b.snapshot(), description: snapshot.description })).toContain(
    JSON.stringify(snapshot.pets),
  )
  expect(JSON.stringify(snapshot)).toBe(text)
})

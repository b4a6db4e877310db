import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, test } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { type Scenario, scenarioSchema } from '../../../src/world/scenario/schema.js'
import type { WorldSeed } from '../../../src/world/seed.js'
import { recordsOf } from './support.js'

const scenario = {
  name: 'made-up',
  pets: [{ petId: 41, name: 'Bella' }],
  orders: [{ id: 7, petId: 41 }],
  generate: { pets: 300, orders: 200 },
} satisfies Scenario

function prepare(parts: Partial<Scenario> = {}): Promise<WorldSeed> {
  return new ScenarioLibrary().prepare({ ...scenario, ...parts })
}

describe('generate', () => {
  test('generates the same data each time', async () => {
    const first = JSON.stringify(await prepare())
    expect(JSON.stringify(await prepare())).toBe(first)
  })

  test.each([[{ seed: 2 }], [{ clock: { now: '2027-06-01T00:00:00Z' } }]])(
    'generates different data for %j',
    async (parts) => {
      const one = await prepare()
      const other = await prepare(parts)
      expect([recordsOf(one).pets, recordsOf(one).orders]).not.toEqual([
        recordsOf(other).pets,
        recordsOf(other).orders,
      ])
    },
  )

  test('appends to the listed records, with ids after the largest', async () => {
    const { pets, orders } = recordsOf(await prepare())
    expect(pets.map(({ petId }) => Number(petId))).toEqual(
      Array.from({ length: 301 }, (_, i) => 41 + i),
    )
    expect(orders.map(({ id }) => Number(id))).toEqual(Array.from({ length: 201 }, (_, i) => 7 + i))
  })

  test('generates exact ids above 2^53', async () => {
    const pets = [{ petId: '9007199254740993', name: 'Edge' }]
    const seed = await prepare({ pets, orders: [], generate: { pets: 2 } })
    expect(recordsOf(seed).pets.map(({ petId }) => petId)).toEqual([
      '9007199254740993',
      '9007199254740994',
      '9007199254740995',
    ])
  })

  test('generates pets of every status and several categories, sold ones out of stock', async () => {
    const { pets } = recordsOf(await prepare())
    expect(new Set(pets.map(({ status }) => status))).toEqual(
      new Set(['available', 'pending', 'sold']),
    )
    expect(new Set(pets.map(({ category }) => category)).size).toBeGreaterThan(4)
    const sold = pets.filter(({ status }) => status === 'sold')
    expect(sold.every(({ quantity }) => quantity === 0)).toBe(true)
    expect(new Set(pets.map(({ name }) => name)).size).toBeGreaterThan(30)
  })

  test('generates orders of existing pets, delivered ones in the past and complete', async () => {
    const now = '2026-03-01T00:00:00.000Z'
    const { pets, orders } = recordsOf(await prepare({ clock: { now } }))
    const ids = new Set(pets.map(({ petId }) => petId))
    expect(orders.every(({ petId }) => ids.has(petId))).toBe(true)
    for (const { status, complete, shipDate } of orders.slice(1)) {
      expect([complete, shipDate < now]).toEqual(Array(2).fill(status === 'delivered'))
    }
  })

  test('generates the same data in the built package, which has the animals of faker only', async () => {
    const source = await import('../../../src/world/scenario/generate.js')
    const path = new URL('../../../dist/esm/generate.js', import.meta.url).href
    const built: typeof source = await import(path)
    const ids = {
      pets: Array.from({ length: 500 }, (_, index) => String(index)),
      orders: ['1', '2'],
    }
    const filled = scenarioSchema.parse({ name: 'made-up', seed: 3 })
    expect(built.generateRecords(filled, ids)).toEqual(source.generateRecords(filled, ids))
  })

  test('does not use the shared faker instance', async () => {
    faker.seed(42)
    const undisturbed = faker.number.int()
    faker.seed(42)
    await prepare()
    expect(faker.number.int()).toBe(undisturbed)
  })
})

import { faker } from '@faker-js/faker/locale/en'
import { expect, test } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { type Scenario, scenarioSchema } from '../../../src/world/scenario/schema.js'
import type { WorldSeed } from '../../../src/world/seed.js'

const scenario = {
  name: 'made-up',
  pets: [{ petId: 41, name: 'Bella' }],
  orders: [{ id: 7, petId: 41 }],
  generate: { pets: 300, orders: 200 },
} satisfies Scenario

function prepare(parts: Partial<Scenario> = {}): Promise<WorldSeed> {
  return new ScenarioLibrary().prepare({ ...scenario, ...parts })
}

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

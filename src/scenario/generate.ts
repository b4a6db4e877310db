import { SimpleFaker } from '@faker-js/faker'
import { isInt64 } from '../contract/int64.js'
import type { Order, Pet } from '../contract/schemas.js'
import type { Work } from '../validation/slices.js'
import animals from './animals.json' with { type: 'json' }
import { ScenarioError } from './error.js'
import type { FilledScenario } from './schema.js'

const referenceDate = '2026-01-01T00:00:00.000Z'
const dayMs = 86_400_000

/** Categories with their breeds: lists of faker, which alone are a small part of its English data. */
const { petName: petNames, ...breeds } = animals
const categories = Object.keys(breeds) as (keyof typeof breeds)[] // breeds is a constant object
const traits = ['calm', 'curious', 'house-trained', 'playful', 'shy', 'vaccinated']

/**
 * Generates the pets and orders that a scenario requests under `generate`. The result depends only
 * on the seed and the clock. Ids start after the largest listed id, and orders refer to existing
 * pets.
 *
 * @throws {ScenarioError} If an id would exceed 2^63−1.
 */
export function* generateRecords(
  scenario: FilledScenario,
  source: string,
): Work<{ pets: Pet[]; orders: Order[] }> {
  const faker = new SimpleFaker({ seed: scenario.seed >>> 0 })
  const petIds = createIds(
    scenario.pets.map(({ petId }) => petId),
    scenario.generate.pets,
    source,
  )
  const pets: Pet[] = []
  for (const petId of petIds) {
    pets.push(generatePet(faker, petId))
    yield
  }
  const known = [...scenario.pets.map(({ petId }) => petId), ...petIds]
  const nowMs = Date.parse(scenario.clock.now ?? referenceDate)
  const orderIds = createIds(
    scenario.orders.map(({ id }) => id),
    scenario.generate.orders,
    source,
  )
  const orders: Order[] = []
  for (const id of orderIds) {
    orders.push(generateOrder(faker, id, faker.helpers.arrayElement(known), nowMs))
    yield
  }
  return { pets, orders }
}

function generatePet(faker: SimpleFaker, petId: string): Pet {
  const category = faker.helpers.arrayElement(categories)
  const breed = faker.helpers.arrayElement(breeds[category])
  const status = faker.helpers.weightedArrayElement([
    { value: 'available', weight: 7 } as const,
    { value: 'pending', weight: 2 } as const,
    { value: 'sold', weight: 1 } as const,
  ])
  return {
    petId,
    name: faker.helpers.arrayElement(petNames),
    quantity: status === 'sold' ? 0 : faker.number.int({ min: 1, max: 40 }),
    status,
    category,
    photoUrls: [`https://images.petstore.example/pets/${petId}/1.jpg`],
    tags: [breed, faker.helpers.arrayElement(traits)],
  }
}

function generateOrder(faker: SimpleFaker, id: string, petId: string, nowMs: number): Order {
  const status = faker.helpers.arrayElement(['placed', 'approved', 'delivered'] as const)
  const days = faker.number.int({ min: 1, max: 30 })
  const shipMs = nowMs + (status === 'delivered' ? -days : days) * dayMs
  return {
    id,
    petId,
    quantity: faker.number.int({ min: 1, max: 3 }),
    shipDate: new Date(shipMs).toISOString(),
    status,
    complete: status === 'delivered',
  }
}

/** Returns `count` ids after the largest of the taken ones. */
function createIds(taken: readonly string[], count: number, source: string): string[] {
  let largest = 0n
  for (const id of taken.map(BigInt)) if (id > largest) largest = id
  const ids = Array.from({ length: count }, (_, index) => String(largest + BigInt(index + 1)))
  if (ids.every(isInt64)) return ids
  throw new ScenarioError(source, [
    `generate must result in ids below 2^63, found ${count} ids after ${largest}`,
  ])
}

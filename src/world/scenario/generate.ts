import { en, Faker } from '@faker-js/faker'
import type { OrderState, PetState } from '../../service/schemas.js'
import type { FilledScenario } from './schema.js'

const referenceDate = '2026-01-01T00:00:00.000Z'
const dayMs = 86_400_000

/** The categories of pets. `faker.animal` has a method of each name, which returns a breed. */
const categories = ['dog', 'cat', 'rabbit', 'bird', 'fish', 'horse'] as const
const traits = ['calm', 'curious', 'house-trained', 'playful', 'shy', 'vaccinated']

/**
 * Generates pets and orders with the given ids. The result depends only on ids, seed and clock. Orders
 * refer to existing pets.
 *
 * The build bundles only these animals of the English locale (build/faker.js). This file imports no
 * code of the package: a bundler would move shared code into a third file, which the page would have to
 * load.
 */
export function generateRecords(
  scenario: FilledScenario,
  ids: Readonly<Record<'pets' | 'orders', readonly string[]>>,
): { pets: PetState[]; orders: OrderState[] } {
  const faker = new Faker({ locale: en, seed: scenario.seed >>> 0 })
  const pets = ids.pets.map((petId) => generatePet(faker, petId))
  const known = [...scenario.pets.map(({ petId }) => petId), ...ids.pets]
  const nowMs = Date.parse(scenario.clock.now ?? referenceDate)
  const orders = ids.orders.map((id) =>
    generateOrder(faker, id, faker.helpers.arrayElement(known), nowMs),
  )
  return { pets, orders }
}

function generatePet(faker: Faker, petId: string): PetState {
  const category = faker.helpers.arrayElement(categories)
  const breed = faker.animal[category]()
  const status = faker.helpers.weightedArrayElement([
    { value: 'available', weight: 7 } as const,
    { value: 'pending', weight: 2 } as const,
    { value: 'sold', weight: 1 } as const,
  ])
  return {
    petId,
    name: faker.animal.petName(),
    quantity: status === 'sold' ? 0 : faker.number.int({ min: 1, max: 40 }),
    status,
    category,
    photoUrls: [`https://images.petstore.example/pets/${petId}/1.jpg`],
    tags: [breed, faker.helpers.arrayElement(traits)],
  }
}

function generateOrder(faker: Faker, id: string, petId: string, nowMs: number): OrderState {
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

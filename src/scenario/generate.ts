import type { Faker } from '@faker-js/faker'
import { faker as sharedFaker } from '@faker-js/faker/locale/en'
import { isInt64 } from '../contract/int64.js'
import type { Order, Pet } from '../contract/schemas.js'
import type { Work } from '../validation/slices.js'
import { ScenarioError } from './error.js'
import type { FilledScenario } from './schema.js'

const referenceDate = '2026-01-01T00:00:00.000Z'
const dayMs = 86_400_000

const breeds: Readonly<Record<string, (faker: Faker) => string>> = {
  dog: (faker) => faker.animal.dog(),
  cat: (faker) => faker.animal.cat(),
  rabbit: (faker) => faker.animal.rabbit(),
  bird: (faker) => faker.animal.bird(),
  fish: (faker) => faker.animal.fish(),
  horse: (faker) => faker.animal.horse(),
}
const categories = Object.keys(breeds)
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
  const faker = createFaker(scenario.seed)
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

/**
 * Creates a separate generator, because the application may use the shared instance of the library.
 */
function createFaker(seed: number): Faker {
  // The constructor of a Faker is the Faker class. This entry point of the library does not export
  // the class, and the one that does loads every language.
  const FakerClass = sharedFaker.constructor as typeof Faker
  return new FakerClass({ locale: sharedFaker.rawDefinitions, seed: seed >>> 0 })
}

function generatePet(faker: Faker, petId: string): Pet {
  const category = faker.helpers.arrayElement(categories)
  const breed = breeds[category]?.(faker) ?? category
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

function generateOrder(faker: Faker, id: string, petId: string, nowMs: number): Order {
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

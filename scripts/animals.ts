import { faker } from '@faker-js/faker/locale/en'

const breeds = ['dog', 'cat', 'rabbit', 'bird', 'fish', 'horse'] as const

/**
 * Returns the lists of faker that a scenario with `generate` uses: the names of pets, and the breeds by
 * category.
 */
export function listAnimals(): Readonly<Record<string, readonly string[]>> {
  const { animal = {} } = faker.rawDefinitions
  const lists = breeds.map((category) => [category, animal[category] ?? []] as const)
  return { petName: animal.pet_name ?? [], ...Object.fromEntries(lists) }
}

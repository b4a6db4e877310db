// The part of the English locale of @faker-js/faker that the package uses. docs/decisions.md has the
// reasons.
import { en } from '@faker-js/faker'

const name = '@faker-js/faker'
const reduced = '\0faker'

/** The names of `faker.animal` that the source uses. */
const used = ['bird', 'cat', 'dog', 'fish', 'horse', 'rabbit', 'pet_name']

/** Creates a plugin that replaces the English locale by these names, where the source imports it. */
export function reduceFaker() {
  const animal = Object.fromEntries(used.map((name) => [name, en.animal[name]]))
  return {
    name: 'reduce-faker',
    resolveId: (source, importer) =>
      source === name && importer !== reduced ? reduced : undefined,
    load: (id) =>
      id === reduced
        ? `export { Faker } from '${name}'\nexport const en = ${JSON.stringify({ animal })}`
        : undefined,
  }
}

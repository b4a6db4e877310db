// The part of the English locale of @faker-js/faker that the package uses. docs/decisions.md has the
// reasons.
import { en } from '@faker-js/faker'

const name = '@faker-js/faker'
const reduced = '\0faker'

/** Creates a plugin that replaces the English locale by its animals, where the source imports it. */
export function reduceFaker() {
  return {
    name: 'reduce-faker',
    resolveId: (source, importer) =>
      source === name && importer !== reduced ? reduced : undefined,
    load: (id) =>
      id === reduced
        ? `export { Faker } from '${name}'\nexport const en = ${JSON.stringify({ animal: en.animal })}`
        : undefined,
  }
}

// The part of @faker-js/faker that the package uses: some of its modules, and some names of its English
// locale. docs/decisions.md has the reasons.
import { en } from '@faker-js/faker'

const name = '@faker-js/faker'
const reduced = '\0faker'

/** The names of `faker.animal` that the source uses. */
const used = ['bird', 'cat', 'dog', 'fish', 'horse', 'rabbit', 'pet_name']

/** The modules of `Faker` that the source uses, and those that these use. */
const modules = ['animal', 'helpers', 'number']

/** A module of `Faker`, which is a field of its class in the minified code. */
const moduleField = /\b([a-z]+)=new [\w$]+\(this\);?/g

/** A list of words or characters. The bundler keeps an unused one unless its call is pure. */
const list = /(?<=[=,:([])(?=`[^`]*`\.split\()/g

/**
 * Creates a plugin that replaces the English locale by the used names, where the source imports it,
 * and removes the other modules from `Faker`. The build fails if there are none.
 */
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
    transform(code, id) {
      if (!/\/@faker-js\/faker\/dist\/base-\w+\.js$/.test(id)) return undefined
      const isUsed = (module) => modules.includes(module)
      const fewer = code.replaceAll(moduleField, (field, module) => (isUsed(module) ? field : ''))
      if (fewer === code) throw new Error(`build/faker.js finds no modules of Faker in ${id}`)
      return fewer.replaceAll(list, '/* @__PURE__ */')
    },
  }
}

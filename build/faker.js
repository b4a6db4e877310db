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

/** A list of words or characters, or a table. The bundler keeps an unused one unless its call is pure. */
const list = /(?<=[=,:([])(?=`[^`]*`\.split\(|Object\.fromEntries\(\[\[)/g

/** The table that joins those of all alphabets, for a removed module. The bundler keeps a spread. */
const joinedTable = /(?<==\{)\.\.\.\w+(?:,\.\.\.\w+)+(?=\})/

/**
 * Creates a plugin that replaces the English locale by the used names, where the source imports it,
 * and removes the other modules from `Faker`. The build fails if there are none.
 */
export function reduceFaker() {
  return {
    name: 'reduce-faker',
    resolveId(source, importer) {
      if (source === name && importer !== reduced) return reduced
      return source.startsWith(reduced) ? source : undefined
    },
    load(id) {
      if (id === reduced) return importWords()
      return id.startsWith(reduced) ? writeWords(id.slice(reduced.length + 1)) : undefined
    },
    transform(code, id) {
      if (!/\/@faker-js\/faker\/dist\/base-\w+\.js$/.test(id)) return undefined
      const isUsed = (module) => modules.includes(module)
      const fewer = code.replaceAll(moduleField, (field, module) => (isUsed(module) ? field : ''))
      if (fewer === code) throw new Error(`build/faker.js finds no modules of Faker in ${id}`)
      return fewer.replace(joinedTable, '').replaceAll(list, '/* @__PURE__ */')
    },
  }
}

function importWords() {
  return [
    ...used.map((animal) => `import ${animal} from '${reduced}:${animal}'`),
    `export { Faker } from '${name}'`,
    `export const en = { animal: { ${used} } }`,
  ].join('\n')
}

/** Each list is a module, so that the build can distribute them over files below 32 kB. */
function writeWords(animal) {
  return `export default ${JSON.stringify(en.animal[animal].join('\n'))}.split('\\n')`
}

// The part of @faker-js/faker that the package uses: some of its modules, and some names of its English
// locale. docs/decisions.md has the reasons.
import { en } from '@faker-js/faker'
import { replaceModules } from './replace-modules.js'

/** The names of `faker.animal` that the source uses. */
const used = ['bird', 'cat', 'dog', 'fish', 'horse', 'rabbit', 'pet_name']

/** A module of `Faker` that the source does not use: a field of its class in the minified code. */
const unusedModule = /\b(?!(?:animal|helpers|number)=)[a-z]+=new [\w$]+\(this\);?/g

/** A list of words or characters, or a table. The bundler keeps an unused one unless its call is pure. */
const list = /(?<=[=,:([])(?=`[^`]*`\.split\(|Object\.fromEntries\(\[\[)/g

/** The table that joins the tables of all alphabets, for a removed module. The bundler keeps a spread. */
const joinedTable = /(?<==\{)\.\.\.\w+(?:,\.\.\.\w+)+(?=\})/

/** Creates plugins that replace the locale, and remove the other modules. */
export function reduceFaker() {
  return [
    replaceModules([
      [
        /^@faker-js\/faker$/,
        [
          ...used.map((name) => `import ${name} from 'faker:${name}'`),
          `export { Faker } from '@faker-js/faker'`,
          `export const en = { animal: { ${used} } }`,
        ].join('\n'),
      ],
      // Each list is a module, so that the build can distribute them over files below 32 kB.
      ...used.map((name) => [
        new RegExp(`^faker:${name}$`),
        `export default ${JSON.stringify(en.animal[name].join('\n'))}.split('\\n')`,
      ]),
    ]),
    {
      name: 'reduce-faker',
      transform(code, id) {
        if (!/\/@faker-js\/faker\/dist\/base-\w+\.js$/.test(id)) return undefined
        const fewer = code.replaceAll(unusedModule, '')
        if (fewer === code) throw new Error(`build/faker.js finds no modules of Faker in ${id}`)
        return fewer.replace(joinedTable, '').replaceAll(list, '/* @__PURE__ */')
      },
    },
  ]
}

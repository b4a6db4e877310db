// Leaves out of zod's schemas what the package does not use, and separates the generation of JSON
// Schemas from them, so that only what generates one loads it. docs/decisions.md has the reasons.

const schemas = /\/zod\/v4\/classic\/schemas\.js$/

/** What is replaced in the module of the schemas. Everything else is the code of zod. */
const replacements = [
  // `z.toJSONSchema` has the same functions in a table, for schemas without such a method.
  [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
  // Methods and properties of schemas that the package does not use.
  [
    /^import \* as processors from .*;$/gm,
    `const processors = { aggregateChecks: toMissing('a property of its checks') }
    function toMissing(what) {
      return () => { throw new Error('a schema in this bundle of zod does not have ' + what) }
    }`,
  ],
  [
    /^import { createStandardJSONSchemaMethod, createToJSONSchemaMethod } from .*;$/gm,
    `const createStandardJSONSchemaMethod = () => toMissing('jsonSchema')
    const createToJSONSchemaMethod = () => toMissing('toJSONSchema')`,
  ],
  // `z.string().email()` and the like. The package uses `z.iso.datetime()`.
  [/return this\.check\(core\._\w+\(Zod\w+, params\)\);/g, `return toMissing('this format')();`],
  // src/validation/validate.ts formulates all messages.
  [/^import en from .*;$/gm, `const en = () => ({ localeError: () => 'another value' })`],
  // No schema is recursive, so that no value can be visited twice.
  [/^ *core\.config\(\{ memoizer: core\.memoizer\(\) \}\);$/gm, ';'],
]

/** Creates a plugin that applies the replacements. The build fails if one of them matches nothing. */
export function reduceZod() {
  return {
    name: 'reduce-zod',
    transform(code, id) {
      if (!schemas.test(id)) return undefined
      return replacements.reduce((text, [pattern, replacement]) => {
        const replaced = text.replace(pattern, replacement)
        if (replaced === text) {
          throw new Error(`build/zod.js replaces ${pattern}, which zod does not contain: review it`)
        }
        return replaced
      }, code)
    },
  }
}

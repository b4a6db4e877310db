// The part of @mswjs/data that the package uses, without the modules that load msw, graphql and all
// of date-fns. docs/decisions.md has the reasons.
/**
 * Modules that the library imports, and the source that replaces them. Everything else is the code of
 * the library.
 */
const replacements = [
  // Called only by `toHandlers` and `toGraphQLSchema`. They import msw and graphql.
  [/\/generateRestHandlers$/, 'export const generateRestHandlers = undefined'],
  [
    /\/generateGraphQLHandlers$/,
    'export const generateGraphQLHandlers = undefined, generateGraphQLSchema = undefined',
  ],
  // Repeats every write in the other tabs of a browser.
  [/\/extensions\/sync$/, 'export const sync = () => {}'],
  // Reads the environment, or the storage of the page, when it is loaded.
  [/^debug$/, 'export const debug = () => () => {}'],
  [/^date-fns$/, `export { default as compareAsc } from 'date-fns/compareAsc/index.js'`],
  [/^lodash$/, `export { default as isFunction } from 'lodash/isFunction.js'`],
]

const prefix = '\0mswjs-data:'

/** Entry of the bundle. The library is CommonJS, whose exports a bundler cannot list. */
export const mswjsDataEntry = `${prefix}entry`
const entry = `export {
  drop, ENTITY_TYPE, factory, identity, manyOf, nullable, oneOf, PRIMARY_KEY, primaryKey
} from '@mswjs/data'`

/** Creates a plugin that applies the replacements to the imports of the library. */
export function reduceMswjsData() {
  return {
    name: 'reduce-mswjs-data',
    resolveId(source, importer) {
      if (source === mswjsDataEntry) return source
      if (!importer?.includes('/@mswjs/data/')) return undefined
      const at = replacements.findIndex(([pattern]) => pattern.test(source))
      return at < 0 ? undefined : `${prefix}${at}`
    },
    load(id) {
      if (id === mswjsDataEntry) return entry
      return id.startsWith(prefix) ? replacements[id.slice(prefix.length)][1] : undefined
    },
  }
}

// The part of @mswjs/data that the package uses, without the modules that load msw, graphql and all
// of date-fns. docs/decisions.md has the reasons.

/**
 * Modules that the library imports, and the source that replaces them. Everything else is the code of
 * the library.
 */
const replacements = [
  // They import msw and graphql. `toHandlers` and `toGraphQLSchema` throw without them.
  [/\/generate(Rest|GraphQL)Handlers$/, 'export {}'],
  // Repeats every write in the other tabs of a browser.
  [/\/extensions\/sync$/, 'export const sync = () => {}'],
  // Hashes the id by which that extension finds a database.
  [/^md5$/, 'export default (text) => text'],
  // Reads the environment, or the storage of the page, when it is loaded.
  [/^debug$/, 'export const debug = () => () => {}'],
  [/^date-fns$/, `export { default as compareAsc } from 'date-fns/compareAsc/index.js'`],
  // Functions with the same results, without the support of lodash for old engines.
  [/^lodash$/, `export { isFunction } from 'es-toolkit/compat'`],
  ...['get', 'has', 'isFunction', 'set'].map((name) => [
    new RegExp(`^lodash/${name}$`),
    `export { ${name} as default } from 'es-toolkit/compat'`,
  ]),
]

const prefix = '\0mswjs-data:'

/**
 * Entry of the bundle. The library is CommonJS, whose exports a bundler cannot list. Its modules are
 * executed on the first call: a page starts its service worker before.
 */
export const mswjsDataEntry = `${prefix}entry`
const entry = ['factory', 'primaryKey']
  .map(
    (name) =>
      `export function ${name}(...values) { return require('@mswjs/data').${name}(...values) }`,
  )
  .join('\n')

/**
 * Creates a plugin that applies the replacements to the imports of the library. The build fails if
 * a replacement matches no import.
 */
export function reduceMswjsData() {
  const unused = new Set(replacements)
  return {
    name: 'reduce-mswjs-data',
    resolveId(source, importer) {
      if (source === mswjsDataEntry) return source
      if (!importer?.includes('/@mswjs/data/')) return undefined
      const at = replacements.findIndex(([pattern]) => pattern.test(source))
      if (at < 0) return undefined
      unused.delete(replacements[at])
      return `${prefix}${at}`
    },
    load(id) {
      if (id === mswjsDataEntry) return entry
      return id.startsWith(prefix) ? replacements[id.slice(prefix.length)][1] : undefined
    },
    buildEnd(error) {
      if (error || unused.size === 0) return
      const patterns = [...unused].map(([pattern]) => pattern).join(', ')
      throw new Error(`build/mswjs-data.js replaces ${patterns}, which @mswjs/data does not import`)
    },
  }
}

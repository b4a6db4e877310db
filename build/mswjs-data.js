import { replaceModules } from './replace-modules.js'

/**
 * Creates a plugin that bundles the part of @mswjs/data that the package uses, as the module
 * `mswjs-data`: without the modules that load msw, graphql and all of date-fns. docs/decisions.md has
 * the reasons. Everything else is the code of the library.
 */
export function reduceMswjsData() {
  return replaceModules([
    // The library is CommonJS, whose exports a bundler cannot list. Its modules are executed on the
    // first call: a page starts its service worker before.
    [
      /^mswjs-data$/,
      ['factory', 'primaryKey']
        .map(
          (name) => `export const ${name} = (...args) => require('@mswjs/data').${name}(...args)`,
        )
        .join('\n'),
    ],
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
  ])
}

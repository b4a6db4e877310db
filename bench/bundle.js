// Bundles entry points of the built package with Vite, and measures what a page or a program loads.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

export const root = resolve(import.meta.dirname, '..')

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Conditions of the exports map, in addition to `default`. */
const conditionsOf = { node: ['node', 'import'], browser: ['browser', 'import'] }

/** The part of msw that every page with mocks loads. */
const mswModule = `export { setupWorker } from 'msw/browser'; export { http, HttpResponse } from 'msw'`

/** Returns the entry points that are modules with types. */
export function listEntryPoints() {
  const paths = Object.keys(exports).filter((path) => !/\*|\.json$/.test(path))
  return paths.map((path) => ({
    path,
    name: path === '.' ? 'index' : path.slice(2),
    // An entry point for Node.js has a condition that keeps it out of pages.
    isForBrowser: exports[path].browser === undefined,
  }))
}

/**
 * Returns the file of an entry point.
 *
 * @param {string} entryPoint A key of the exports map, such as `./node`.
 * @param {'node' | 'browser'} platform
 */
export function findEntryFile(entryPoint, platform) {
  const file = resolveTarget(exports[entryPoint], [...conditionsOf[platform], 'default'])
  if (file === undefined) throw new Error(`there is no entry point ${entryPoint}`)
  return join(root, file)
}

/** Resolves a target as Node.js does: the first condition that applies and has a target. */
function resolveTarget(target, conditions) {
  if (typeof target === 'string') return target
  for (const [condition, nested] of Object.entries(target ?? {})) {
    const found = conditions.includes(condition) ? resolveTarget(nested, conditions) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Measures what a page loads of msw, without this package. */
export function measureMsw() {
  return measure(mswModule)
}

/** Measures what a page loads that uses an entry point and msw. */
export function measurePage(entryPoint) {
  const file = findEntryFile(entryPoint, 'browser')
  return measure(`${mswModule}; export * from ${JSON.stringify(file)}`)
}

/** Returns the KiB of an entry point for Node.js after gzip, without dependencies. */
export async function measureNodeKib(entryPoint) {
  const file = findEntryFile(entryPoint, 'node')
  // A reporter is a default export, which `*` leaves out.
  const exported = entryPoint.endsWith('-reporter') ? '{ default }' : '*'
  const { eagerKib } = await measure(`export ${exported} from ${JSON.stringify(file)}`, true)
  return eagerKib
}

/**
 * Bundles the code of a module, minified. Returns its KiB after gzip: loaded at once, and on demand.
 *
 * @param {string} code
 * @param {boolean} [ssr] Leaves out dependencies, as in a program for Node.js.
 */
async function measure(code, ssr = false) {
  const { output } = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [createEntry(code)],
    build: {
      write: false,
      ssr,
      minify: true,
      rolldownOptions: { input: 'virtual:entry', preserveEntrySignatures: 'strict' },
    },
  })
  const chunks = output.filter(({ type }) => type === 'chunk')
  const loaded = collectLoaded(chunks)
  return {
    eagerKib: sumKib(loaded),
    laterKib: sumKib(chunks.filter((chunk) => !loaded.includes(chunk))),
  }
}

/** Returns the entry and its static imports, without dynamic imports. */
function collectLoaded(chunks) {
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded) {
    for (const name of imports) {
      const found = chunks.find(({ fileName }) => fileName === name)
      if (found) loaded.add(found)
    }
  }
  return [...loaded]
}

function sumKib(chunks) {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0) / 1_024
}

function createEntry(code) {
  return {
    name: 'entry',
    resolveId: (id) => (id === 'virtual:entry' ? id : undefined),
    load: (id) => (id === 'virtual:entry' ? code : undefined),
  }
}

// Bundles a module with Vite, as a page would, and measures what the page loads.
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { findEntryFile, root } from './checkout.js'

/** The part of msw that every page with mocks loads. */
export const mswModule = `export { setupWorker } from 'msw/browser'; export { http, HttpResponse } from 'msw'`

/**
 * Bundles the code of a module, minified. Returns the chunks, and their KiB after gzip: loaded with
 * the page, and loaded later.
 *
 * @param {string} code
 * @param {{ directory?: string, ssr?: boolean }} [options] The directory in which packages are
 * resolved. With `ssr`, dependencies are left out, as in a program for Node.js.
 */
export async function bundle(code, { directory = root, ssr = false } = {}) {
  const { output } = await build({
    root: directory,
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
    chunks,
    eagerKib: sumKib(loaded),
    laterKib: sumKib(chunks.filter((chunk) => !loaded.includes(chunk))),
  }
}

/** Bundles what a page with an entry point and msw loads. */
export function bundlePage(checkout, entryPoint) {
  const file = findEntryFile(checkout, entryPoint, 'browser')
  return bundle(`${mswModule}; export * from ${JSON.stringify(file)}`, checkout)
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

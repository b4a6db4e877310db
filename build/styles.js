import { dirname, join } from 'node:path'
import { bundleAsync } from 'lightningcss'

/**
 * Returns a plugin for `import text from './a.css?inline'`, as in Vite, for petstore-sandbox/devtools.
 * Includes imported files.
 */
export function inlineStyles() {
  return {
    name: 'inline-styles',
    resolveId: (id, importer) =>
      id.endsWith('.css?inline') ? join(dirname(importer), id) : undefined,
    async load(id) {
      if (!id.endsWith('.css?inline')) return undefined
      const { code } = await bundleAsync({ filename: id.replace('?inline', ''), minify: true })
      return { code: `export default ${JSON.stringify(code.toString())}`, moduleType: 'js' }
    },
  }
}

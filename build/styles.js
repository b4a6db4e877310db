// Style sheets as text, for petstore-sandbox/devtools.
import { dirname, join } from 'node:path'
import { bundleAsync } from 'lightningcss'

const suffix = '?inline'

/** Returns a plugin for `import text from './a.css?inline'`, as in Vite. Includes imported files. */
export function inlineStyles() {
  return {
    name: 'inline-styles',
    resolveId: (id, importer) =>
      id.endsWith(`.css${suffix}`) ? join(dirname(importer), id) : undefined,
    async load(id) {
      if (!id.endsWith(`.css${suffix}`)) return undefined
      const filename = id.slice(0, -suffix.length)
      const { code } = await bundleAsync({ filename, minify: true })
      return { code: `export default ${JSON.stringify(code.toString())}`, moduleType: 'js' }
    },
  }
}

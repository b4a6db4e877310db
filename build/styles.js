// Style sheets as text, for petstore-sandbox/devtools.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Returns a plugin for `import text from './a.css?inline'`, as in Vite. Includes imported files. */
export function inlineStyles() {
  const suffix = '?inline'
  return {
    name: 'inline-styles',
    resolveId: (id, importer) =>
      id.endsWith(`.css${suffix}`) ? join(dirname(importer), id) : undefined,
    async load(id) {
      if (!id.endsWith(`.css${suffix}`)) return undefined
      const css = minify(await readStyles(id.slice(0, -suffix.length)))
      return { code: `export default ${JSON.stringify(css)}`, moduleType: 'js' }
    },
  }
}

async function readStyles(file) {
  const text = await readFile(file, 'utf8')
  const parts = text.split(/^@import "(.+)";$/m)
  const read = (part, at) => (at % 2 === 1 ? readStyles(join(dirname(file), part)) : part)
  return (await Promise.all(parts.map(read))).join('')
}

/** Removes comments and white space that has no meaning. The styles contain no strings with either. */
function minify(css) {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/([\w-]): /g, '$1:')
    .replace(/;}/g, '}')
    .trim()
}

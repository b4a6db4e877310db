// Writes lint/import-order.json, the Biome rules for the direction of imports: npm run derive.
// A test in test/docs fails if the file is stale.
import { writeFile } from 'node:fs/promises'

/**
 * The folders of src, from top to bottom. A file may import from its own folder and from the
 * folders below it. The entry points in src itself are above all folders.
 */
export const layers = [
  'cli',
  'console',
  'testing',
  'transport',
  'verify',
  'engine',
  'control',
  'report',
  'store',
  'world',
  'service',
]

const entryPoints =
  '{index,node,server,browser,types,devtools,connect,vite,vitest,vitest-browser,vitest-reporter,playwright,playwright-reporter,cli}.js'

/** Returns the Biome configuration for this order: one override for each folder. */
export function toBiomeConfig() {
  return { overrides: layers.map(toOverride) }
}

function toOverride(layer, position) {
  const above = layers.slice(0, position)
  const below = layers.slice(position + 1)
  const group = ['', '../', '../../'].map((up) => `../${up}${entryPoints}`)
  group.push(...above.map((folder) => `**/${folder}/**`))
  const message = `src/${layer} may import from itself and from ${below.join(', ') || 'nothing else'}; the order is in lint/import-order.js.`
  const options = { patterns: [{ group, message }] }
  const rules = { style: { noRestrictedImports: { level: 'error', options } } }
  return { includes: [`src/${layer}/**`], linter: { rules } }
}

if (process.argv[1] === import.meta.filename) {
  const file = new URL('import-order.json', import.meta.url)
  await writeFile(file, `${JSON.stringify(toBiomeConfig(), null, 2)}\n`)
}

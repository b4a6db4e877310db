// Measures what a page with the sandbox loads, and what remains in its production build, with several
// bundlers. Writes the tables in docs/bundlers.md. Started by `npm run bench:bundlers` in the root.
import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { bundlers, bundleWithVite } from './bundlers.js'
import { conditions } from './conditions.js'

const file = new URL('../../docs/bundlers.md', import.meta.url)

const withoutInlining = (page, nodeEnv) => bundleWithVite(page, nodeEnv, { inlineConst: false })
const [[vite], ...others] = Object.entries(bundlers)
const measured = [
  [vite, bundleWithVite],
  [`${vite}, \`inlineConst: false\``, withoutInlining],
  ...others,
]

const sizes = []
for (const [name, bundle] of measured) {
  const msw = sumKib((await bundle('msw', 'development')).filter(({ isEager }) => isEager))
  const chunks = await bundle('sandbox', 'development')
  const eager = sumKib(chunks.filter(({ isEager }) => isEager))
  const later = sumKib(chunks.filter(({ isEager }) => !isEager))
  sizes.push([name, ...[msw, eager - msw, eager, later].map(format)])
}
const remaining = []
for (const { page, title } of conditions) {
  const cells = []
  for (const bundle of Object.values(bundlers)) {
    const kib = sumKib(await bundle(page, 'production'))
    cells.push(kib < 1 ? 'nothing' : `${format(kib)} KiB`)
  }
  remaining.push([title, ...cells])
}

await writeTable('sizes', [
  ['bundler', 'msw', 'sandbox', 'a page that starts it', 'later, on demand'],
  ...sizes,
])
await writeTable('conditions', [['condition', ...Object.keys(bundlers)], ...remaining])

function sumKib(chunks) {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0) / 1024
}

function format(kib) {
  return kib.toFixed(1)
}

/** Replaces the text between `<!-- id -->` and `<!-- /id -->`. */
async function writeTable(id, [head, ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  console.log(lines.join('\n'))
  const page = await readFile(file, 'utf8')
  const [start, end] = [`<!-- ${id} -->\n`, `<!-- /${id} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/bundlers.md has no ${start.trim()} … ${end}`)
  await writeFile(
    file,
    `${page.slice(0, from + start.length)}${lines.join('\n')}\n${page.slice(to)}`,
  )
}

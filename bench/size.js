// Size of each entry point of the built package, and of the console, after minification and gzip:
// npm run size. Fails if one exceeds its budget in bench/size-budget.json.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listEntryPoints, measureMsw, measureNodeKib, measurePage, root } from './bundle.js'

const budgets = JSON.parse(await readFile(new URL('size-budget.json', import.meta.url), 'utf8'))
const entryPoints = listEntryPoints()
let isWithin = true

const msw = await measureMsw()
console.log('Entry points for the browser, KiB after gzip; “later” is loaded on demand')
for (const { name, path } of entryPoints.filter(({ isForBrowser }) => isForBrowser)) {
  const page = await measurePage(path)
  const parts = { msw: msw.eagerKib, own: page.eagerKib - msw.eagerKib, later: page.laterKib }
  const list = Object.entries(parts).map(([part, kib]) => `${part} ${kib.toFixed(1)}`)
  console.log(`${name}: ${list.join(', ')}`)
  checkBudget(name, parts.own, 'own code and dependencies without msw')
  if (name === 'browser') checkBudget('page', page.eagerKib, 'a page with msw and this package')
}

console.log('\nEntry points for Node.js, KiB of the package itself after gzip')
for (const { name, path } of entryPoints.filter(({ isForBrowser }) => !isForBrowser)) {
  checkBudget(name, await measureNodeKib(path), 'own code')
}

console.log('\nThe console, KiB after gzip')
const consoleFolder = join(root, 'dist/console')
const files = (await readdir(consoleFolder))
  .filter((name) => /\.(?:js|css)$/.test(name))
  .map((name) => join(consoleFolder, name))
const contents = await Promise.all(files.map((file) => readFile(file)))
const consoleBytes = contents.reduce((sum, content) => sum + gzipSync(content).byteLength, 0)
checkBudget(
  'console',
  consoleBytes / 1_024,
  'scripts and styles, with those that are loaded on demand',
)

if (!isWithin) process.exitCode = 1

/** Compares a size with its budget. An entry point without a budget fails. */
function checkBudget(name, kib, what) {
  const budget = budgets[name] ?? 0
  if (kib > budget) isWithin = false
  const verdict = kib > budget ? 'EXCEEDS' : 'within'
  console.log(`${name}: ${kib.toFixed(1)} ${what}, ${verdict} the budget of ${budget}`)
}

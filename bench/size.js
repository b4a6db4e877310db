// Size of each entry point of the package after minification and gzip: npm run size. Fails if one
// exceeds its budget in bench/size-budget.json.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = `${import.meta.dirname}/..`

/** A page that uses msw and @mswjs/data without this package. */
const mswPage = 'export { setupWorker } from "msw/browser"; export { HttpHandler } from "msw"'
const dataPage = `${mswPage}; export { factory, primaryKey } from "@mswjs/data"`

const entryPoints = await readEntryPoints()
const budgets = await readJson('./size-budget.json')
let isWithin = true

const msw = await measure(mswPage)
const data = await measure(dataPage)
console.log(
  'Entry points for the browser, KiB after gzip; faker is loaded only when a scenario generates data',
)
for (const { name } of entryPoints.filter(({ isForBrowser }) => isForBrowser)) {
  const page = await measure(`${mswPage}; export * from "/src/${name}.ts"`)
  const beyond = page.now - data.now
  print(name, {
    msw: msw.now,
    '@mswjs/data': data.now - msw.now,
    zod: page.zod,
    own: beyond - page.zod,
    'faker, later': page.later,
  })
  checkBudget(name, beyond, 'beyond msw and @mswjs/data')
}

console.log('\nEntry points for Node.js, KiB of own code after gzip')
for (const { name } of entryPoints.filter(({ isForBrowser }) => !isForBrowser)) {
  const { now } = await measure(`export * from "/src/${name}.ts"`, { ssr: true })
  checkBudget(name, now, 'of own code')
}

if (!isWithin) process.exitCode = 1

/** Reads the entry points from the exports map of package.json. */
async function readEntryPoints() {
  const { exports } = await readJson('../package.json')
  const entryPoints = Object.entries(exports).filter(
    ([, target]) => (target.default?.types ?? target.types) !== undefined,
  )
  return entryPoints.map(([path, { browser }]) => ({
    name: path === '.' ? 'index' : path.slice(2),
    isForBrowser: browser === undefined,
  }))
}

async function readJson(path) {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))
}

/** Bundles an entry point. Returns the bytes loaded initially, those of zod, and those loaded later. */
async function measure(code, { ssr = false } = {}) {
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
      rolldownOptions: {
        input: 'virtual:entry',
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules.zod/ }] } },
      },
    },
  })
  const chunks = output.filter(({ type }) => type === 'chunk')
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).byteLength]))
  const sum = (list) => list.reduce((bytes, { fileName }) => bytes + sizes.get(fileName), 0)
  const loaded = collectLoaded(chunks)
  return {
    now: sum(loaded),
    zod: sum(loaded.filter(({ name }) => name === 'zod')),
    later: sum(chunks.filter((chunk) => !loaded.includes(chunk))),
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

function createEntry(code) {
  return {
    name: 'entry',
    resolveId: (id) => (id === 'virtual:entry' ? id : undefined),
    load: (id) => (id === 'virtual:entry' ? code : undefined),
  }
}

function print(entryPoint, bytes) {
  const parts = Object.entries(bytes).map(([name, size]) => `${name} ${toKiB(size)}`)
  console.log(`${entryPoint}: ${parts.join(', ')}`)
}

/** Compares a size with its budget. An entry point without a budget fails. */
function checkBudget(entryPoint, bytes, what) {
  const budget = budgets[entryPoint] ?? 0
  const isTooMuch = bytes > budget * 1024
  if (isTooMuch) isWithin = false
  const verdict = isTooMuch ? 'EXCEEDS' : 'within'
  console.log(`${entryPoint}: ${toKiB(bytes)} ${what}, ${verdict} the budget of ${budget}`)
}

function toKiB(bytes) {
  return (bytes / 1024).toFixed(1)
}

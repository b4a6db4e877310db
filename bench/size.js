// What each door of the package costs, minified and compressed with gzip: npm run size. Fails when
// one costs more than bench/size-budget.json allows.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = `${import.meta.dirname}/..`

/** What a page loads that mocks with msw and models with @mswjs/data, without this package. */
const mswPage = 'export { setupWorker } from "msw/browser"; export { HttpHandler } from "msw"'
const dataPage = `${mswPage}; export { factory, primaryKey } from "@mswjs/data"`

const doors = await readDoors()
const budgets = await readJson('./size-budget.json')
let isWithin = true

const msw = await measure(mswPage)
const data = await measure(dataPage)
console.log('Doors for the browser, KiB after gzip; faker is loaded only when a scenario generates')
for (const { name } of doors.filter(({ isForBrowser }) => isForBrowser)) {
  const page = await measure(`${mswPage}; export * from "/src/${name}.ts"`)
  const beyond = page.now - data.now
  print(name, {
    msw: msw.now,
    '@mswjs/data': data.now - msw.now,
    zod: page.zod,
    own: beyond - page.zod,
    'faker, later': page.later,
  })
  hold(name, beyond, 'beyond msw and @mswjs/data')
}

console.log('\nDoors for Node, KiB of own code after gzip')
for (const { name } of doors.filter(({ isForBrowser }) => !isForBrowser)) {
  const { now } = await measure(`export * from "/src/${name}.ts"`, { ssr: true })
  hold(name, now, 'of own code')
}

if (!isWithin) process.exitCode = 1

/** The doors that package.json names. */
async function readDoors() {
  const { exports } = await readJson('../package.json')
  const doors = Object.entries(exports).filter(([, target]) => target.types !== undefined)
  return doors.map(([path, { browser }]) => ({
    name: path === '.' ? 'index' : path.slice(2),
    isForBrowser: browser !== null,
  }))
}

async function readJson(path) {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))
}

/** Bundles an entry and adds up bytes: what is loaded at once, and what of it is zod. */
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
  const sum = (some) => some.reduce((bytes, { fileName }) => bytes + sizes.get(fileName), 0)
  const loaded = collectLoaded(chunks)
  return {
    now: sum(loaded),
    zod: sum(loaded.filter(({ name }) => name === 'zod')),
    later: sum(chunks.filter((chunk) => !loaded.includes(chunk))),
  }
}

/** The entry and all that it imports, without what it imports later. */
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

function print(door, bytes) {
  const parts = Object.entries(bytes).map(([name, size]) => `${name} ${toKiB(size)}`)
  console.log(`${door}: ${parts.join(', ')}`)
}

/** A door without a budget is too large, so that each new one gets one. */
function hold(door, bytes, what) {
  const budget = budgets[door] ?? 0
  const isTooMuch = bytes > budget * 1024
  if (isTooMuch) isWithin = false
  const verdict = isTooMuch ? 'TOO MUCH for' : 'within'
  console.log(`${door}: ${toKiB(bytes)} ${what}, ${verdict} the budget of ${budget}`)
}

function toKiB(bytes) {
  return (bytes / 1024).toFixed(1)
}

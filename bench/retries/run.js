// Measures what HTTP clients do on 429 and 503, and writes the tables in docs/retries.md:
// node bench/retries/run.js, after npm run build. Takes about five minutes.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conductSituations, situations } from './situations.js'

const folder = import.meta.dirname
const root = join(folder, '../..')
const page = join(root, 'docs/retries.md')
const names = [
  ...['tanstack-query', 'swr', 'ky', 'got', 'axios-retry', 'undici', 'bottleneck', 'p-retry'],
]

/** Results of the measurements, by client, variant and situation. */
const results = new Map()

const clients = await Promise.all(
  names.map(async (name) => ({ name, ...(await import(`./clients/${name}.js`)) })),
)
writeSection('plain', toTable('plain'))
writeSection('configured', toTable('configured'))
writeSection('conduct', toConductTable())

function toTable(variant) {
  const measured = clients.filter(({ variants }) => variants[variant])
  const header = ['client', ...Object.values(situations).map(({ title }) => title)]
  const rows = measured.map((client) => [
    toName(client),
    ...Object.keys(situations).map((situation) =>
      describe(measure(client.name, variant, situation)),
    ),
  ])
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/** Returns the outcome of each rule for each client with its default settings. */
function toConductTable() {
  const conducts = clients.map((client) =>
    Object.keys(conductSituations)
      .filter((situation) => !(conductSituations[situation].init && client.onlyReads))
      .flatMap((situation) => measure(client.name, 'plain', situation).conduct),
  )
  const rules = new Set(conducts.flat().map(({ id }) => id))
  const rows = [...rules].map((rule) => [
    `\`${rule}\``,
    ...conducts.map((conduct) => toOutcome(conduct, rule)),
  ])
  const header = ['rule', ...clients.map(toName)]
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

/** Returns the worst outcome of a rule. */
function toOutcome(conduct, rule) {
  const found = conduct.filter(({ id }) => id === rule).map(({ outcome }) => outcome)
  if (found.includes('broken')) return '**broken**'
  return found.includes('kept') ? 'kept' : '–'
}

/** Measures each combination once. */
function measure(...args) {
  const key = args.join(' ')
  if (!results.has(key)) results.set(key, run(...args))
  return results.get(key)
}

function run(name, variant, situation) {
  const args = [join(folder, 'measure.js'), name, variant, situation]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
}

function toName({ title, packageNames }) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const versions = packageNames.map((name) => packages[`node_modules/${name}`].version)
  return `${title} ${versions.join(', ')}`
}

/** Describes a measurement: `at 0, 1, 3 and 7 s; then 429`. */
function describe({ seconds, bannedAfter, ended, endedAfter }) {
  const counts = new Map()
  for (const second of seconds.map(round)) counts.set(second, (counts.get(second) ?? 0) + 1)
  const times = [...counts].map(([second, count]) => (count > 1 ? `${count}× ${second}` : second))
  const result = ended ? [...new Set(ended)].join(' and ') : 'still retrying after 600 s'
  const end = ended ? `${result} after ${round(endedAfter)} s` : result
  const ban = bannedAfter === undefined ? '' : `; **banned after ${round(bannedAfter)} s**`
  return `${times.join(', ')} s; ${end}${ban}`
}

function round(seconds) {
  return Math.round(seconds * 10) / 10
}

/** Replaces the lines between two comments on the page. */
function writeSection(name, table) {
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`]
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${page} must have ${begin} and ${end}`)
  writeFileSync(page, `${before}${begin}\n${table}\n${end}${after}`)
}

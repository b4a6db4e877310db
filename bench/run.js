// npm run bench: measures the package next to its references.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './bundle.js'
import { measurePatch, measurePeers } from './figures/http.js'
import { measureFixture, measureMsw } from './figures/in-process.js'
import { measureSizes } from './figures/sizes.js'
import { measureData, measureReplicas } from './figures/stores.js'
import { assess, median } from './measure.js'

/** In the order of the page. */
const groups = {
  peers: measurePeers,
  patch: measurePatch,
  msw: measureMsw,
  fixture: measureFixture,
  data: measureData,
  replicas: measureReplicas,
  sizes: measureSizes,
}

const help = `Usage: npm run bench -- [options]

Measures this package next to its references, in at most five minutes. Requires Linux and redis-server.

  --only <group>  Measures a part. Repeat it for several: ${Object.keys(groups).join(', ')}.
  --node <path>   Measures with another Node.js.
  --write         Writes the tables into docs/benchmarks.md.
  --help          Prints this help.`

const page = join(root, 'docs/benchmarks.md')
const [start, end] = ['<!-- results -->', '<!-- end of results -->']

try {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      node: { type: 'string', default: process.execPath },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) console.log(help)
  else await runBench(values)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function runBench({ only = Object.keys(groups), node, write }) {
  const unknown = only.find((name) => !(name in groups))
  if (unknown) throw new Error(`--only takes ${Object.keys(groups).join(', ')}, found ${unknown}`)
  if (write && only.length < Object.keys(groups).length) {
    throw new Error('--write writes the whole page, and excludes --only')
  }
  const conditions = describeConditions(node)
  console.log(conditions)
  const rows = []
  const peers = []
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  try {
    for (const name of only) {
      const started = performance.now()
      try {
        const result = await groups[name]({ node, directory })
        rows.push(...result.rows)
        peers.push(...(result.peers ?? []))
      } catch (error) {
        // The others are still measured and printed.
        console.error(`${name} failed:`, error)
        process.exitCode = 1
      }
      console.log(`${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s`)
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  if (rows.length === 0) return
  const tables = [toFigureTable(rows), ...(peers.length > 0 ? [toPeerTable(peers)] : [])]
  console.log(`\n${tables.join('\n\n')}`)
  if (!write) return
  if (process.exitCode) throw new Error('the page is not written, because a part failed')
  await writePage([conditions, ...tables].join('\n\n'))
}

/** Returns date, commit, machine and versions, and a warning if other programs use the processors. */
function describeConditions(node) {
  const run = (file, ...args) => execFileSync(file, args, { cwd: root, encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const commit = run('git', 'describe', '--always', '--dirty', '--exclude', '*')
  const cores = cpus()
  const model = cores[0].model.replaceAll(/\((?:R|TM)\)/g, '')
  const [load] = loadavg()
  const warning =
    load < 0.5
      ? ''
      : ` The load average was ${load.toFixed(1)} before the start: other programs affect the figures.`
  return `Measured on ${date} at commit ${commit}, with Node.js ${run(node, '--version')} on ${cores.length} cores (${model}).${warning}`
}

function toFigureTable(rows) {
  return toTable(
    ['figure', 'measured', 'reference', 'comparison', 'target', 'result'],
    rows.map(toCells),
  )
}

/** @param {import('./measure.js').Row} row */
function toCells(row) {
  const { unit, own, reference, times, more, atMost } = row
  const { ratio, difference, isMet } = assess(row)
  const withUnit = (figure) => `${format(figure)} ${unit}`.trim()
  const cells = [
    row.figure,
    withUnit(median(own)),
    reference ? `${reference.name}: ${format(median(reference.samples))}` : '',
  ]
  const result = isMet ? 'met' : '**missed**'
  if (times !== undefined) return [...cells, `${format(ratio)} ×`, `≤ ${times} ×`, result]
  if (more !== undefined) return [...cells, `+ ${withUnit(difference)}`, `≤ + ${more}`, result]
  return [...cells, '', `≤ ${atMost}`, result]
}

function toPeerTable(peers) {
  const head = ['GET of 100 pets', 'µs CPU a request', 'first response, ms', 'MB at rest']
  return toTable(
    head,
    peers.map(([name, ...samples]) => [name, ...samples.map((list) => format(median(list)))]),
  )
}

/** Formats a Markdown table with columns of equal width, to be read in a terminal too. */
function toTable(head, rows) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column].length)),
  )
  const toLine = (cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(toLine).join('\n')
}

/** Formats a figure with three digits, or all digits of an integer. */
function format(figure) {
  const digits = Number.isInteger(figure) || figure >= 100 ? 0 : figure >= 10 ? 1 : 2
  return figure.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** Replaces the results on the page. */
async function writePage(results) {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`${page} has no lines ${start} and ${end} in this order`)
  await writeFile(page, `${text.slice(0, from)}${start}\n\n${results}\n\n${text.slice(to)}`)
}

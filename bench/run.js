// npm run bench: measures the package next to its references.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openCheckout, root } from './checkout.js'
import { writeBlock } from './document.js'
import { describeConditions, openNode } from './machine.js'
import { countMissed, findWorse, toMarkdown, toText } from './results.js'
import { subjects } from './subjects/subjects.js'

const ids = subjects.map(({ id }) => id)

const help = `Usage: npm run bench -- [options]

Measures this package next to its references. Takes up to a quarter of an hour, with
--baseline and --node.

  --only <subject>        Measures one subject. Repeat it for several: ${ids.join(', ')}.
  --baseline <directory>  Measures another built checkout of this package too, in the column "old".
  --node <path>           Measures another Node.js binary too. Subjects: start, memory, import, in-process.
  --write                 Writes the tables into docs/benchmarks.md.
  --strict                Exits with 1 if a target is missed.
  --help                  Prints this help.`

const options = {
  only: { type: 'string', multiple: true, default: ids },
  baseline: { type: 'string' },
  node: { type: 'string', multiple: true, default: [] },
  write: { type: 'boolean' },
  strict: { type: 'boolean' },
  help: { type: 'boolean' },
}

try {
  const { values } = parseArgs({ options })
  if (values.help) console.log(help)
  else await runBench(values)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function runBench({ only, baseline, node, write, strict }) {
  const unknown = only.find((id) => !ids.includes(id))
  if (unknown) throw new Error(`--only takes ${ids.join(', ')}, found ${unknown}`)
  const context = {
    checkouts: [openCheckout(root, 'new'), ...(baseline ? [openCheckout(baseline, 'old')] : [])],
    nodes: [process.execPath, ...node].map(openNode),
    directory: await mkdtemp(join(tmpdir(), 'petstore-bench-')),
  }
  const conditions = describeConditions(context)
  console.log(conditions)
  const chosen = subjects.filter(({ id }) => only.includes(id))
  const results = []
  try {
    for (const subject of chosen) {
      const result = await runSubject(subject, context)
      results.push(...result.rows)
      // At once, so that an interrupted run keeps what it has measured.
      if (write && result.rows.length > 0) await writeResult(subject, result, conditions)
    }
  } finally {
    await rm(context.directory, { recursive: true, force: true })
  }
  const missed = summarize(results)
  if (strict && missed > 0) process.exitCode = 1
}

/** Prints what needs attention. Returns the number of missed targets. */
function summarize(rows) {
  const missed = countMissed(rows)
  console.log(missed === 0 ? '\nNo target is missed.' : `\nMissed targets: ${missed}`)
  for (const { measurement, node } of findWorse(rows)) {
    const where = node ? ` (Node.js ${node})` : ''
    console.log(`Worse than the baseline by more than 10 %: ${measurement}${where}`)
  }
  return missed
}

function writeResult({ id, method }, { rows, notes }, conditions) {
  return writeBlock(id, [conditions, method, toMarkdown(rows), ...notes].join('\n\n'))
}

/** Measures a subject and prints its table. After a failure, there are no rows. */
async function runSubject({ title, method, run }, context) {
  console.log(`\n${title}\n${method}\n`)
  const started = performance.now()
  const { rows, notes } = await run(context).catch((error) => {
    process.exitCode = 1
    return { rows: [], notes: [`failed: ${error.stack}`] }
  })
  if (rows.length > 0) console.log(toText(rows))
  for (const note of notes) console.log(note)
  console.log(`(${((performance.now() - started) / 1_000).toFixed(0)} s)`)
  return { rows, notes }
}

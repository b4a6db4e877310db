// CPU time per GET request that is handled in the process of the client.
import { findEntryFile } from '../checkout.js'
import { alternate } from '../measure.js'
import { startProgram } from '../processes.js'
import { toRow } from '../results.js'

const sizes = [10, 1_000]
/** New processes per contender: the optimizing compiler decides differently in each. */
const processes = 3
const rounds = 5
const count = 400
const program = new URL('../programs/in-process.js', import.meta.url)

const measurements = [
  {
    name: 'fetch through msw',
    kind: 'sandbox through msw',
    reference: 'plain msw handler',
    times: 1.2,
  },
  { name: 'sandbox.fetch', kind: 'sandbox.fetch', reference: 'Request and Response' },
]

export const inProcess = {
  id: 'in-process',
  title: 'Requests in process',
  method: `CPU time of the process per GET request in µs, client included, with the journal on; median of ${processes} processes with ${rounds} alternating rounds each`,

  async run({ checkouts, nodes }) {
    const rows = []
    for (const node of nodes) {
      for (const pets of sizes) {
        for (const measurement of measurements) {
          rows.push(await measure(checkouts, node, pets, measurement))
        }
      }
    }
    return { rows, notes: [] }
  },
}

async function measure(checkouts, node, pets, { name, kind, reference, times }) {
  const programs = Object.fromEntries(
    checkouts.map((checkout) => [checkout.label, { checkout, kind }]),
  )
  programs[reference] = { checkout: checkouts[0], kind: reference }
  const samples = {}
  for (let repetition = 0; repetition < processes; repetition++) {
    for (const [contender, list] of Object.entries(await measureOnce(programs, pets, node))) {
      samples[contender] = [...(samples[contender] ?? []), ...list]
    }
  }
  return toRow({
    measurement: `${pets.toLocaleString('en-US')} pets, ${name}, µs`,
    node: node.version,
    samples,
    targets: times === undefined ? [] : [{ reference, times }],
  })
}

/** Measures each program in a new process. */
async function measureOnce(programs, pets, node) {
  const started = []
  try {
    const contenders = {}
    for (const [contender, { checkout, kind }] of Object.entries(programs)) {
      const args = [kind, pets, findEntryFile(checkout, '.', 'node')]
      const { ask, stop } = await startProgram(program, { args, node: node.path })
      started.push(stop)
      contenders[contender] = () => ask({ count })
      await contenders[contender]()
    }
    return await alternate(rounds, contenders)
  } finally {
    for (const stop of started) stop()
  }
}

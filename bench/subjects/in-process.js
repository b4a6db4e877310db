// CPU time per GET request that is handled in the process of the client.
import { findEntryFile } from '../checkout.js'
import { alternate } from '../measure.js'
import { startProgram } from '../processes.js'
import { toRow } from '../results.js'

const sizes = [10, 1_000]
const rounds = 7
const count = 500
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
  method: `CPU time of the process per GET request in µs, client included, with the journal on; median of ${rounds} alternating rounds`,

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
  const start = (checkout, startedKind) => {
    const args = [startedKind, pets, findEntryFile(checkout, '.', 'node')]
    return startProgram(program, { args, node: node.path })
  }
  const programs = {}
  for (const checkout of checkouts) programs[checkout.label] = await start(checkout, kind)
  programs[reference] = await start(checkouts[0], reference)
  try {
    const contenders = {}
    for (const [contender, { ask }] of Object.entries(programs)) {
      contenders[contender] = () => ask({ count })
      await contenders[contender]()
    }
    return toRow({
      measurement: `${pets.toLocaleString('en-US')} pets, ${name}, µs`,
      node: node.version,
      samples: await alternate(rounds, contenders),
      targets: times === undefined ? [] : [{ reference, times }],
    })
  } finally {
    for (const { stop } of Object.values(programs)) stop()
  }
}

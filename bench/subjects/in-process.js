// CPU time per GET request that is handled in the process of the client.
import { findEntryFile } from '../checkout.js'
import { alternate } from '../measure.js'
import { withPrograms } from '../processes.js'
import { toRow } from '../results.js'

/** New processes per contender: the optimizing compiler decides differently in each. */
const processes = 7
const rounds = 4
const count = 300
const program = new URL('../programs/in-process.js', import.meta.url)

const throughMsw = {
  name: 'fetch through msw',
  kind: 'sandbox through msw',
  reference: 'plain msw handler',
  times: 1.2,
}
const measurements = [
  { ...throughMsw, pets: 10 },
  { ...throughMsw, pets: 1_000 },
  { name: 'sandbox.fetch', kind: 'sandbox.fetch', reference: 'Request and Response', pets: 10 },
]

export const inProcess = {
  id: 'in-process',
  title: 'Requests in process',
  method: `CPU time of the process per GET request in µs, client included, with the journal on; median of ${processes} processes with ${rounds} alternating rounds each.`,

  async run({ checkouts, nodes }) {
    const rows = []
    for (const node of nodes) {
      for (const measurement of measurements) {
        rows.push(await measure(checkouts, node, measurement))
      }
    }
    return { rows, notes: [] }
  },
}

async function measure(checkouts, node, { pets, name, kind, reference, times }) {
  const toOptions = (checkout, startedKind) => ({
    file: program,
    args: [startedKind, pets, findEntryFile(checkout, '.', 'node')],
    node: node.path,
  })
  const options = { [reference]: toOptions(checkouts[0], reference) }
  for (const checkout of checkouts) options[checkout.label] = toOptions(checkout, kind)
  const samples = {}
  for (let repetition = 0; repetition < processes; repetition++) {
    for (const [contender, list] of Object.entries(await withPrograms(options, measureOnce))) {
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

async function measureOnce(programs) {
  const contenders = {}
  for (const [contender, { ask }] of Object.entries(programs)) {
    contenders[contender] = () => ask({ count })
    // Until the code is optimized.
    await contenders[contender]()
  }
  return alternate(rounds, contenders)
}

// Creating, resetting and retaining worlds in process.
import { findEntryFile } from '../checkout.js'
import { alternate } from '../measure.js'
import { withPrograms } from '../processes.js'
import { toRow } from '../results.js'

const rounds = 7
const program = new URL('../programs/worlds.js', import.meta.url)

const measurements = [
  ...[10, 1_000, 10_000].map((existing) => ({
    name: `a new world when ${existing.toLocaleString('en-US')} exist, ms`,
    message: { measurement: 'create', existing },
  })),
  ...[100, 5_000].map((pets) => ({
    name: `sandbox.reset() at ${pets.toLocaleString('en-US')} pets after addPet, ms`,
    message: { measurement: 'reset', pets },
  })),
  {
    name: 'world.use(snapshot) at 5,000 pets after one PATCH, ms',
    message: { measurement: 'snapshot', pets: 5_000 },
  },
  {
    name: "world.use('large-catalogue') after one PATCH, ms",
    message: { measurement: 'scenario' },
  },
  {
    name: 'an idle world of default, KiB',
    message: { measurement: 'memory', scenario: 'default', count: 200 },
  },
  {
    name: 'an idle world of large-catalogue, KiB',
    message: { measurement: 'memory', scenario: 'large-catalogue', count: 200 },
  },
]

export const worlds = {
  id: 'worlds',
  title: 'Worlds',
  method: `Median of ${rounds} alternating rounds of many operations each.`,

  async run({ checkouts }) {
    const options = {}
    for (const checkout of checkouts) {
      const args = [findEntryFile(checkout, '.', 'node')]
      options[checkout.label] = { file: program, args, execArgv: ['--expose-gc'] }
    }
    return { rows: await withPrograms(options, measureAll), notes: [] }
  },
}

async function measureAll(programs) {
  const rows = []
  for (const { name, message } of measurements) {
    const contenders = Object.entries(programs).map(([label, { ask }]) => [
      label,
      () => ask(message),
    ])
    const samples = await alternate(rounds, Object.fromEntries(contenders))
    rows.push(toRow({ measurement: name, samples }))
  }
  return rows
}

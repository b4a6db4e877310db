import type { CommandRow } from '../command-row.js'

const load = () => import('../actions/scenario.js')

export const showRow: CommandRow = {
  name: 'show',
  description: 'Show the world at a glance: scenario, clock, quota and how much there is.',
  examples: ['world show', 'world show --environment staging', 'world show --json'],
  load: async () => (await load()).showWorld,
}

export const scenariosRow: CommandRow = {
  name: 'scenarios',
  description: 'List the scenarios that this sandbox knows by name.',
  examples: ['world scenarios', 'world scenarios --json'],
  load: async () => (await load()).showScenarios,
}

export const useRow: CommandRow = {
  name: 'use',
  description: 'Start the world anew from a scenario, or from several that are merged.',
  args: [['<scenario...>', 'names, or .json files, from left to right']],
  examples: ['world use low-stock', 'world use low-stock flaky', 'world use seen.json'],
  load: async () => (await load()).useScenarios,
}

export const resetRow: CommandRow = {
  name: 'reset',
  description: 'Put the world back to the start of its scenario, and forget the calls.',
  examples: ['world reset'],
  load: async () => (await load()).reset,
}

export const snapshotRow: CommandRow = {
  name: 'snapshot',
  description: 'Write the whole state of the world down as a scenario file.',
  options: [
    ['--name <name>', 'the name of the scenario, in kebab-case; without one, snapshot'],
    ['-o, --output <file>', 'write it to a file instead of printing it'],
  ],
  examples: ['world snapshot', 'world snapshot --name out-of-nemo --output seen.json'],
  load: async () => (await load()).takeSnapshot,
}

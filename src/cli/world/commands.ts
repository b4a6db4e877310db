import { clock } from './clock.js'
import { defineCommand, type WorldCommand, type WorldGroup } from './command.js'
import { addDerivedCommands } from './derive.js'
import { faults } from './faults.js'
import { quota } from './quota.js'
import { report } from './report.js'
import { events, requests } from './requests.js'
import { reset, show, snapshot, use } from './scenario.js'

/** Prints the key only, so that a shell can read it. No other command prints an unmasked key. */
const keys = defineCommand({
  name: 'keys',
  operation: 'createKey',
  description: 'Creates a key with a random label, for a private world, and prints it.',
  options: [
    ['--plan <plan>', 'Plan of the key. Default: free.'],
    ['--scenario <name>', 'Scenario of its world. Default: the scenario of the sandbox.'],
  ],
  examples: ['', '--plan pro --scenario low-stock'],
  toInput: (command) => ({ json: JSON.stringify(command.opts()) }),
  toText: ({ apiKey }) => `${apiKey}\n`,
})

/** Every command of `world`, in the order of the help. The first one is the default. */
export const worldCommands: readonly (WorldCommand | WorldGroup)[] = addDerivedCommands([
  show,
  use,
  reset,
  snapshot,
  clock,
  quota,
  faults,
  requests,
  events,
  report,
  keys,
])

import type { WorldCommand } from './command.js'

/** Prints the key only, so that a shell can read it. No other command prints an unmasked key. */
export const keys: WorldCommand = {
  name: 'keys',
  operation: 'createKey',
  description: 'Creates a key with a random label, for a private world, and prints it.',
  options: [
    ['--plan <plan>', 'Plan of the key. Default: free.'],
    ['--scenario <name>', 'Scenario of its world. Default: the scenario of the sandbox.'],
  ],
  examples: ['', '--plan pro --scenario low-stock'],
  async run({ client, print }, command) {
    const body = command.opts()
    print(await client.send('createKey', { body }), ({ apiKey }) => `${apiKey}\n`)
  },
}

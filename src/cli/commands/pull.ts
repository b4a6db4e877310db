import { platform } from '../../engine/platform.js'
import { defineCommand } from '../command.js'
import { pullOptions } from '../pull/options.js'

/** Writes what a deployment serves as a scenario file. */
export const pull = defineCommand({
  name: 'pull',
  description: 'Writes what a deployment of the service serves as a scenario file.',
  options: pullOptions,
  notes: `Sends one request for the inventory, one for the orders and one for each pet, and stays within the
limit of the key. Sends the key to no other host. The exit code is 2 if the file could not be
written.`,
  examples: [
    'pull --url https://api.petstore.example/v1 --key "$KEY"',
    'pull --url http://127.0.0.1:4010/v1 --key sbx_free --name shop --output shop.json',
    'pull --har recorded.har',
    'pull --har recorded.har --url https://api.petstore.example/v1 --force',
  ],
  async run(settings, terminal) {
    const { runPull } = await import('../pull/run.js')
    await runPull(settings, terminal, platform)
  },
})

import { createKey } from '../../../control/keys.js'
import type { WorldAction } from '../runner.js'

/** The one command that prints a whole key, and nothing else, so that a shell can take it. */
export const makeKey: WorldAction = async ({ client, print }, command) => {
  const body: { plan?: string; scenario?: string } = command.opts()
  print(await client.send(createKey, { body }), ({ apiKey }) => `${apiKey}\n`)
}

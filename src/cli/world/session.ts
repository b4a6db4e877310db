import type { Command } from 'commander'
import { ControlClient } from '../../control/client/client.js'
import { createDescription } from '../../control/client/describe.js'
import { addresses } from '../../service/addresses.js'
import { readOptions, toCommandLine, worldOptions } from '../options.js'
import { createPaint, type Terminal } from '../terminal.js'

/** The client and the output of a command of `world`. */
export type WorldSession = ReturnType<typeof openSession>

/** Timeout of a request, in milliseconds. Starting a scenario with many pets takes 1 to 2 seconds. */
const timeoutMs = 30_000

/**
 * Opens the session of a command.
 *
 * @param world The command `world`, whose options name the sandbox and the key.
 * @param command The subcommand that runs.
 * @throws {UsageError} If an option of `world` is invalid.
 */
export function openSession(world: Command, command: Command, terminal: Terminal) {
  const options = readOptions(world, worldOptions, terminal.env)
  const { url, key, token, environment, json } = options
  const address = environment === 'staging' ? addresses.stagingControl : addresses.control
  const client = new ControlClient({
    controlUrl: `${url}${address.httpPath}`,
    apiKey: key,
    token,
    timeoutMs,
    describe: createDescription({
      url,
      option: '--url',
      advices: nextSteps,
      otherwise: `see ${toCommandLine(command)} --help`,
      namesResponse: false,
    }),
  })
  return {
    client,
    /** Root URL of the sandbox, without a trailing slash. */
    url,
    terminal,
    isJson: json,
    paint: createPaint(terminal.stdout, terminal.env),
  }
}

const wantedKey = 'petstore-sandbox key prints a key; set it with --key or PETSTORE_SANDBOX_KEY'

/** The next step after an error, by its code. Default: the help of the command. */
const nextSteps: Readonly<Partial<Record<string, string>>> = {
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied:
    'set the key of a world of your own with --key, or the token of the sandbox with --token',
  invalid_scenario:
    'petstore-sandbox world scenarios lists the known ones, petstore-sandbox check FILE checks a file',
  pet_not_found: 'petstore-sandbox world pets lists the pets',
  resource_not_found: 'petstore-sandbox world orders lists the orders',
  sandbox_capacity: 'petstore-sandbox world reset removes the added records of this world',
}

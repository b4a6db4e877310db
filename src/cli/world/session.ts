import type { Command } from 'commander'
import {
  ControlClient,
  type ControlFailure,
  type ControlTarget,
} from '../../control/client/client.js'
import { describeForeign, describeMissing, maskCredentials } from '../../control/client/error.js'
import { addresses } from '../../service/addresses.js'
import { maskApiKey } from '../../service/api-key.js'
import { toPlainLine } from '../../service/validation/message.js'
import { worldOptions } from '../commands/world.js'
import { readOptions, toCommandLine } from '../options.js'
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
  const target: ControlTarget = {
    controlUrl: `${url}${address.httpPath}`,
    apiKey: key,
    token,
    timeoutMs,
    describe(failure, credentials) {
      const help = `${toCommandLine(command)} --help`
      const advice = nextSteps.get(failure.code)
      const reason = maskCredentials(describeFailure(failure, url, key), credentials)
      return { message: `${reason}; ${advice ?? `see ${help}`}`, advice: advice ?? help }
    },
  }
  return {
    client: new ControlClient(target),
    /** Root URL of the sandbox, without a trailing slash. */
    url,
    terminal,
    isJson: json,
    paint: createPaint(terminal.stdout, terminal.env),
  }
}

const wantedUrl = '--url must be the root of a sandbox such as http://127.0.0.1:4010'
const wantedKey = 'petstore-sandbox key prints a key; set it with --key or PETSTORE_SANDBOX_KEY'

/** The next step after an error, by its code. Default: the help of the command. */
const nextSteps: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unreachable: 'start one with petstore-sandbox, or set --url',
    timeout: wantedUrl,
    foreign_response: wantedUrl,
    missing_api_key: wantedKey,
    invalid_api_key: wantedKey,
    control_denied:
      'set the key of a world of your own with --key, or the token of the sandbox with --token',
    invalid_scenario:
      'petstore-sandbox world scenarios lists the known ones, petstore-sandbox check FILE checks a file',
    pet_not_found: 'petstore-sandbox world pets lists the pets',
    resource_not_found: 'petstore-sandbox world orders lists the orders',
    route_not_found: wantedUrl,
    method_not_allowed: wantedUrl,
    sandbox_capacity: 'petstore-sandbox world reset removes the added records of this world',
    internal_error: 'see the log of the sandbox',
  }),
)

function describeFailure(failure: ControlFailure, url: string, apiKey: string): string {
  const { code, reason = '', response, error } = failure
  if (code === 'timeout') return `no response from ${url} within ${timeoutMs / 1_000} s`
  if (!response) return `no sandbox responds at ${url} (${toPlainLine(describeMissing(error))})`
  if (code === 'foreign_response') {
    const found = toPlainLine(describeForeign(response))
    return `the server at ${url} is not a petstore-sandbox of this version, found ${found}`
  }
  const key = response.status === 401 ? ` for the key ${maskApiKey(apiKey)}` : ''
  return `${toPlainLine(code)}${key}: ${toPlainLine(reason.replaceAll(/\s*\n\s*/g, '; '))}`
}

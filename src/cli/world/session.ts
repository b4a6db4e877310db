import type { Command } from 'commander'
import * as z from 'zod/mini'
import { ControlClient } from '../../control/client/client.js'
import { addresses, environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/secret.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { toCommandLine } from '../options.js'
import { readOptions } from '../read-options.js'
import { createPaint, type Paint, type Terminal } from '../terminal.js'
import { createDescription } from './describe.js'

/** The client and the output of a command of `world`. */
export interface WorldSession {
  readonly client: ControlClient
  /** Root URL of the sandbox, without a trailing slash. */
  readonly url: string
  readonly terminal: Terminal
  /** Whether `--json` is set. */
  readonly isJson: boolean
  readonly paint: Paint
  /** Prints a result: as JSON with `--json`, otherwise as `toText` formats it. */
  print<Result>(result: Result, toText: (result: Result, paint: Paint) => string): void
}

/**
 * Opens the session of a command.
 *
 * @param world The command `world`, whose options name the sandbox and the key.
 * @param command The subcommand that runs.
 * @throws {UsageError} If an option of `world` is invalid.
 */
export function openSession(world: Command, command: Command, terminal: Terminal): WorldSession {
  const { json: isJson = false, ...options } = readOptions(world, optionsSchema)
  const { stdout, env } = terminal
  const paint = createPaint(stdout, env)
  const { url, ...target } = toTarget(options)
  const help = `${toCommandLine(command)} --help`
  return {
    client: new ControlClient({ ...target, timeoutMs, describe: createDescription(url, help) }),
    url,
    terminal,
    isJson,
    paint,
    print(result, toText) {
      const text = isJson ? `${JSON.stringify(result ?? null, null, 2)}\n` : toText(result, paint)
      stdout.write(text)
    },
  }
}

/** Timeout of a request, in milliseconds. Starting a scenario with many pets takes 1 to 2 seconds. */
const timeoutMs = 30_000

const optionsSchema = z.strictObject({
  url: z.string().check(
    z.refine(isRoot, {
      error: 'the http or https URL of a sandbox such as http://127.0.0.1:4010',
    }),
  ),
  key: z.string(),
  token: z.optional(z.string()),
  environment: z.enum(environments),
  json: z.optional(z.literal(true)),
})

/** @throws {UsageError} If the key or the token cannot be sent. The message does not contain it. */
function toTarget(options: z.output<typeof optionsSchema>) {
  const { url: root, key, token, environment } = options
  if (!isSendable(key)) {
    const found = key === '' ? 'an empty string' : 'a space or a character that is not ASCII'
    throw new UsageError(
      `--key must be an API key such as sbx_free, found ${found}; petstore-sandbox key prints one`,
    )
  }
  if (token !== undefined && !isSendable(token)) {
    throw new UsageError('--token must be printable ASCII characters without spaces, found others')
  }
  const { origin, pathname } = new URL(root)
  const url = `${origin}${pathname.replace(/\/+$/, '')}`
  const address = environment === 'staging' ? addresses.stagingControl : addresses.control
  return { url, controlUrl: `${url}${address.httpPath}`, apiKey: key, token }
}

/** Whether a string is a URL that paths can be appended to. */
function isRoot(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password, search, hash } = new URL(url)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
}

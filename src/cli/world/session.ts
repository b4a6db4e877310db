import type { Command } from 'commander'
import { createPaint, type Paint } from '../colour.js'
import { toCommandLine } from '../command-line.js'
import type { Terminal } from '../terminal.js'
import { readAccess } from './access.js'
import { WorldClient } from './client.js'

/** What a command of `world` works with: the world, and how its user wants to be told. */
export interface WorldSession {
  readonly client: WorldClient
  readonly terminal: Terminal
  readonly isJson: boolean
  readonly paint: Paint
  /** Prints a result: as JSON where that was asked for, else as the text for people. */
  print<Result>(result: Result, toText: (result: Result, paint: Paint) => string): void
}

/**
 * @param world The command whose options say where the sandbox is and which key is meant.
 * @param command The one below it that runs.
 * @throws {CliError} When one of those options does not fit.
 */
export function openSession(world: Command, command: Command, terminal: Terminal): WorldSession {
  const access = readAccess(world)
  const { stdout, env } = terminal
  const paint = createPaint(stdout, env)
  return {
    client: new WorldClient(access, `${toCommandLine(command)} --help`),
    terminal,
    isJson: access.isJson,
    paint,
    print(result, toText) {
      stdout.write(access.isJson ? `${JSON.stringify(result, null, 2)}\n` : toText(result, paint))
    },
  }
}

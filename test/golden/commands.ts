import { vi } from 'vitest'
import { platform } from '../../src/engine/platform.js'
import { type Outcome, run } from '../cli/support.js'
import { toReadable } from './readable.js'

/** A command of the program. */
export interface ListedCommand {
  /** The words that run it. */
  readonly words: readonly string[]
  /** What it prints with --help. */
  readonly help: string
}

/** Returns a command and every command below it, in the order of the help. */
export async function listCommands(words: readonly string[] = []): Promise<ListedCommand[]> {
  const { stdout: help } = await run([...words, '--help'])
  const [, list = ''] = /\nCommands:\n(.*?)\n(?:\n|$)/s.exec(help) ?? []
  const names = list.split('\n').flatMap((line) => /^ {2}([\w-]+)/.exec(line)?.slice(1) ?? [])
  const commands = [{ words, help }]
  for (const name of names.filter((each) => each !== 'help')) {
    commands.push(...(await listCommands([...words, name])))
  }
  return commands
}

/** Runs a command, and returns what the user sees. `verify` does not wait before it repeats a request. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const sleep = vi.spyOn(platform, 'sleep').mockResolvedValue()
  try {
    return toOutput(args, await run(args, env), env)
  } finally {
    sleep.mockRestore()
  }
}

/** Runs commands one after the other, each with its environment variables. */
export async function runCommands(
  rows: readonly (readonly [args: readonly string[], env?: Readonly<Record<string, string>>])[],
) {
  const outputs: unknown[] = []
  for (const row of rows) outputs.push(await runCommand(...row))
  return outputs
}

/** Returns a command line and its outcome. Empty outputs are omitted. */
export function toOutput(
  args: readonly string[],
  { code, stdout, stderr }: Outcome,
  env: Readonly<Record<string, string>> = {},
) {
  return {
    command: args.join(' '),
    env: Object.keys(env).length > 0 ? env : undefined,
    code,
    stdout: stdout === '' ? undefined : toReadable(stdout),
    stderr: stderr === '' ? undefined : toReadable(stderr),
  }
}

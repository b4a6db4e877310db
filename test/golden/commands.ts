import { type Outcome, run } from '../cli/support.js'
import { toReadable } from './readable.js'

/** Returns every command of the program, as the words that run it, in the order of the help. */
export async function listCommands(command: readonly string[] = []): Promise<string[][]> {
  const { stdout } = await run([...command, '--help'])
  const [, list = ''] = /\nCommands:\n(.*?)\n(?:\n|$)/s.exec(stdout) ?? []
  const names = list.split('\n').flatMap((line) => /^ {2}([\w-]+)/.exec(line)?.slice(1) ?? [])
  const commands: string[][] = []
  for (const name of names.filter((each) => each !== 'help')) {
    const words = [...command, name]
    commands.push(words, ...(await listCommands(words)))
  }
  return commands
}

/** Runs a command, and returns what the user sees. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return toOutput(args, await run(args, env), env)
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

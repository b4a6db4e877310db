import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { suggestName } from '../validation/nearest-name.js'
import { CliError } from './cli-error.js'
import { toCommandLine } from './command-line.js'
import { defineCheck } from './commands/check.js'
import { defineKey } from './commands/key.js'
import { defineOpenApi } from './commands/openapi.js'
import { defineScenarios } from './commands/scenarios.js'
import { defineServe } from './commands/serve.js'
import { defineWorld } from './commands/world.js'
import { readEnvironment } from './env-option.js'
import { toFailureLine } from './failure.js'
import type { Terminal } from './terminal.js'

const examples = `
Examples:
  petstore-sandbox                                    serve on http://127.0.0.1:4010
  petstore-sandbox --port 8080 --scenario low-stock   another port, another state
  petstore-sandbox check my-shop.json                 is the scenario file right?
  petstore-sandbox scenarios                          which states are there?
  petstore-sandbox help serve                         all flags of the server`

/** The commands in the order of the help, each a file; `serve` is meant when none is named. */
const commands = [defineServe, defineScenarios, defineCheck, defineOpenApi, defineKey, defineWorld]

/** Runs the command line and resolves to its exit code. Never rejects. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    terminal.stderr.write(`petstore-sandbox: ${toFailureLine(error) ?? describeDefect(error)}\n`)
    return 1
  }
}

/** The commands with their flags and help. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('petstore-sandbox')
    .description('A mock of the Pet Store Inventory Service that keeps state, over HTTP.')
    .version(readVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', examples)
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => {}, // runCli prints every failure in the same way
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
    })
    .hook('preAction', (_program, command) => readEnvironment(command, terminal.env))
    .exitOverride()
  for (const define of commands) {
    const command = define(terminal)
    program.addCommand(command, { isDefault: define === defineServe })
    adopt(program, command)
  }
  return program
}

/** Gives a command, and those below it, the settings of the one above and failures in one line. */
function adopt(parent: Command, command: Command): void {
  const help = command.configureHelp()
  command.copyInheritedSettings(parent).exitOverride(toNextStep)
  command.configureHelp({ ...parent.configureHelp(), ...help })
  for (const child of command.commands) adopt(command, child)

  function toNextStep(error: CommanderError): never {
    if (error.exitCode === 0) throw error
    const takesNone = command.registeredArguments.length === 0
    if (error.code === 'commander.excessArguments' && takesNone) throw toUnknownWord(command)
    throw new CliError(`${toFailureLine(error)}; see ${toCommandLine(command)} --help`)
  }
}

/** A word that is no command leads to the default one, and is one argument too many there. */
function toUnknownWord(command: Command): CliError {
  const word = command.args[0] ?? ''
  const { parent } = command
  const names = parent?.commands.map((one) => one.name()) ?? []
  const where = parent?.parent ? ` of ${toCommandLine(parent)}` : ''
  return new CliError(`${JSON.stringify(word)} is no command${where}${suggestName(word, names)}`)
}

function describeDefect(error: unknown): string {
  return `a defect of the sandbox: ${error instanceof Error ? error.stack : String(error)}`
}

/** The package names itself, because this file lies one folder deeper once it is built. */
function readVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)(
    'petstore-sandbox/package.json',
  )
  return version
}

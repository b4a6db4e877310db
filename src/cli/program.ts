import { type AddHelpTextContext, Command, CommanderError, type Option } from 'commander'
import { RemoteError } from '../control/client/error.js'
import { suggestName } from '../service/validation/nearest-name.js'
import { version } from '../service/version.js'
import { StoreError } from '../store/store.js'
import { UsageError } from '../verify/usage-error.js'
import { ScenarioError } from '../world/scenario/error.js'
import { toCommandLine } from './options.js'
import { escapeControls, type Terminal } from './terminal.js'

const examples = `
Examples:
  petstore-sandbox                                    Serves on http://127.0.0.1:4010.
  petstore-sandbox --port 8080 --scenario low-stock   Serves another scenario on another port.
  petstore-sandbox check my-shop.json                 Checks a scenario file.
  petstore-sandbox scenarios                          Lists the scenarios.
  petstore-sandbox help serve                         Prints every option of the server.

Exit codes: 0 for success, 1 for a failure. The help of verify, world report and pull says when they
exit with 2.`

/** The commands in the order of the help. */
const commands = {
  serve: () => import('./serve/command.js'),
  scenarios: () => import('./commands/scenarios.js'),
  check: () => import('./commands/check.js'),
  pull: () => import('./pull/command.js'),
  openapi: () => import('./commands/openapi.js'),
  key: () => import('./commands/key.js'),
  verify: () => import('./verify/command.js'),
  world: () => import('./world/command.js'),
  mcp: () => import('./mcp/command.js'),
}

/** Runs the command line and resolves to the exit code. Never rejects. */
export async function runCli(words: readonly string[], raw: Terminal): Promise<number> {
  // Commander's own help of `help world clock` ignores `clock`.
  const isHelp = words[0] === 'help'
  const args = isHelp ? [...words.filter((word) => word !== 'help'), '--help'] : words
  const [stdout, stderr] = [escapeControls(raw.stdout), escapeControls(raw.stderr)]
  const terminal = { ...raw, stdout, stderr }
  try {
    const program = await createProgram(terminal, args)
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    terminal.stderr.write(`petstore-sandbox: ${toFailureLine(error)}\n`)
    if (error instanceof UsageError && error.exitCode !== undefined) return error.exitCode
    return isAssessment(args) ? 2 : 1
  }
}

/** Whether exit code 1 is a result of the command, so that failures exit with 2. */
function isAssessment([first = '', ...others]: readonly string[]): boolean {
  // `world use report` names a scenario.
  const isReport = others.includes('report') && !others.includes('use')
  return ['verify', 'pull'].includes(first) || (first === 'world' && isReport)
}

/**
 * Creates the commands with their help texts.
 *
 * @param args The arguments to parse. If they name a command, the code of the others is not loaded.
 */
export async function createProgram(terminal: Terminal, args: readonly string[]): Promise<Command> {
  const program = new Command('petstore-sandbox')
    .description('A stateful mock of the Pet Store Inventory Service over HTTP.')
    .version(version, '-v, --version', 'Prints the version.')
    .helpOption('-h, --help', 'Prints this help.')
    .helpCommand('help [command]', 'Prints the help of a command.')
    .addHelpText('after', examples)
    .addHelpText('beforeAll', rejectUnknownCommand)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: listInherited })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => {}, // runCli prints every failure in the same way
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
    })
    .exitOverride()
  const [word = 'serve'] = args
  const isHelp = args.includes('-h') || args.includes('--help')
  const only = word.startsWith('-') && !isHelp ? 'serve' : word
  const isKnown = Object.hasOwn(commands, only)
  for (const [name, load] of Object.entries(commands)) {
    if (isKnown && name !== only) continue
    const command = (await load()).createCommand(terminal)
    program.addCommand(command, { isDefault: name === 'serve' })
    inheritSettings(program, command)
  }
  return program
}

/** Applies the settings of the parent to a command and its subcommands. */
function inheritSettings(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent).exitOverride((error) => rejectArguments(command, error))
  for (const child of command.commands) inheritSettings(command, child)
}

/** Lists the options of `world` for its subcommands, which accept them as well. */
function listInherited({ parent }: Command): Option[] {
  return parent?.parent ? [...parent.options, ...listInherited(parent)] : []
}

/** Rethrows an error of commander, with the next step. */
function rejectArguments(command: Command, error: CommanderError): never {
  if (error.exitCode === 0) throw error
  const { parent, registeredArguments, args } = command
  const [word = ''] = args
  const isExcess = error.code === 'commander.excessArguments' && registeredArguments.length === 0
  // Commander passes an unknown command to the default command, as an excess argument.
  if (isExcess && parent && parent.args[0] !== command.name()) throw toUnknownCommand(parent, word)
  const line = toCommandLine(command)
  const excess = `${line} takes no argument, found ${JSON.stringify(word)}`
  throw new UsageError(`${isExcess ? excess : toFailureLine(error)}; see ${line} --help`)
}

/**
 * Adds nothing to a help. Commander prints the help of a group for `world nonsense --help`.
 *
 * @throws {UsageError} If the arguments of a group name an unknown command.
 */
function rejectUnknownCommand({ command }: AddHelpTextContext): string {
  const word = command.args.find((each) => each !== 'help') ?? '--help'
  if (word.startsWith('-') || command.commands.length === 0) return ''
  if (command.commands.some((each) => each.name() === word)) return ''
  throw toUnknownCommand(command, word)
}

function toUnknownCommand(parent: Command, word: string): UsageError {
  const loaded = parent.commands.map((command) => command.name())
  const names = parent.parent ? loaded : Object.keys(commands)
  const where = parent.parent ? ` of ${toCommandLine(parent)}` : ''
  const group = parent.commands.find(({ commands }) =>
    commands.some((each) => each.name() === word),
  )
  const hint = group ? `; did you mean "${group.name()} ${word}"?` : suggestName(word, names)
  return new UsageError(`${JSON.stringify(word)} is not a command${where}${hint}`)
}

/** Returns the message of a failure that the user can correct, or describes a bug. */
function toFailureLine(error: unknown): string {
  const isKnown = [UsageError, RemoteError, StoreError].some((kind) => error instanceof kind)
  if (isKnown && error instanceof Error) return error.message
  if (error instanceof ScenarioError) return describeScenarioError(error)
  if (error instanceof CommanderError) return toSentence(error)
  return `a bug in the sandbox: ${error instanceof Error ? error.stack : String(error)}`
}

/** Returns the first problem of a scenario, and how to see the others. */
function describeScenarioError({ source, file = source, problems }: ScenarioError): string {
  const [first = '', ...others] = problems
  const rest = `; and ${others.length} more, which petstore-sandbox check ${file} prints`
  return `${file}: ${first}${others.length === 0 ? '' : rest}`
}

/** Converts `error: unknown option '--prot'\n(Did you mean --port?)` to one line without prefix. */
function toSentence({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '')
}

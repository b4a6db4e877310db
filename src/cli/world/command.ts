import { Command } from 'commander'
import type { SentInput } from '../../control/client/client.js'
import type { ControlOperationId, ControlResult } from '../../control/operations.js'
import { AssessmentCommand, toExamples } from '../options.js'
import type { Paint, Terminal } from '../terminal.js'
import { openSession, type WorldSession } from './session.js'

/** A command of `world`. */
export interface WorldCommand {
  readonly name: string
  /** The control operation that the command sends. No other command is derived for it. */
  readonly operation: ControlOperationId
  /** One or more sentences. Lists of commands show the first one. */
  readonly description: string
  /** Whether exit code 1 is a result, so that other failures exit with 2. Default: false. */
  readonly isAssessment?: true
  /** Each in the syntax of commander, such as `<duration>`, with a description. */
  readonly arguments?: readonly (readonly [usage: string, description: string])[]
  /** Each in the syntax of commander, such as `--name <name>`, with a description. */
  readonly options?: readonly (readonly [flags: string, description: string])[]
  /** Paragraphs of the help text, before the examples. */
  readonly notes?: string | undefined
  /** Arguments of example command lines, without the name of the command. */
  readonly examples: readonly string[]
  /** Runs the command. `command` has its arguments and options. */
  run(session: WorldSession, command: Command): Promise<void>
}

/** A command that sends one request and prints the response. */
interface SendingCommand<Id extends ControlOperationId> extends Omit<WorldCommand, 'run'> {
  readonly operation: Id
  /** Returns the input of the operation from the arguments and options of the command line. */
  readonly toInput?: (command: Command) => SentInput<Id> | Promise<SentInput<Id>>
  /** Formats the response. With `--json`, it is printed as it is. */
  readonly toText: (result: ControlResult<Id>, paint: Paint) => string
}

/** Defines a command that sends one request and prints the response. */
export function defineCommand<Id extends ControlOperationId>({
  toInput,
  toText,
  ...definition
}: SendingCommand<Id>): WorldCommand {
  return {
    ...definition,
    async run({ client, print }, command) {
      const input = await toInput?.(command)
      print(await client.send(definition.operation, input), toText)
    },
  }
}

/** Commands on one part of a world. The first one is the default. */
export interface WorldGroup {
  readonly name: string
  /** One sentence. */
  readonly description: string
  readonly commands: readonly WorldCommand[]
}

/** Creates the commander `Command` of a command or group. */
export function createCommand(
  entry: WorldCommand | WorldGroup,
  world: Command,
  terminal: Terminal,
): Command {
  if (!('commands' in entry)) return createLeaf(entry, 'world', world, terminal)
  const { name, description, commands } = entry
  const examples = commands.map((command) =>
    toExample(`world ${name} ${command.name}`, command.examples[0]),
  )
  const group = new Command(name)
    .description(description)
    .addHelpText('after', toExamples(examples))
  for (const [index, command] of commands.entries()) {
    const leaf = createLeaf(command, `world ${name}`, world, terminal)
    group.addCommand(leaf, { isDefault: index === 0 })
  }
  return group
}

function createLeaf(
  entry: WorldCommand,
  parent: string,
  world: Command,
  terminal: Terminal,
): Command {
  const { name, description, options = [], notes, examples } = entry
  const lines = examples.map((example) => toExample(`${parent} ${name}`, example))
  const leaf = (entry.isAssessment ? new AssessmentCommand(name) : new Command(name))
    .description(description)
    .summary(description.replace(/(?<=\.)\s.*$/s, ''))
    .addHelpText('after', `${notes ? `\n${notes}\n` : ''}${toExamples(lines)}`)
    .action(() => entry.run(openSession(world, leaf, terminal), leaf))
  for (const [usage, text] of entry.arguments ?? []) leaf.argument(usage, text)
  for (const [flags, text] of options) leaf.option(flags, text)
  return leaf
}

function toExample(command: string, args = ''): string {
  return args === '' ? command : `${command} ${args}`
}

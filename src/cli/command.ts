import { Command } from 'commander'
import { type OptionTable, type OptionValues, readOptions } from './options.js'
import type { Terminal } from './terminal.js'

/** What the help of a command says, and what it does. */
export interface CommandDefinition<Table extends OptionTable> {
  readonly name: string
  readonly description: string
  /** In the syntax of commander, with descriptions. */
  readonly args?: readonly (readonly [usage: string, description: string])[]
  readonly options: Table
  /** Paragraphs of the help text, before the examples. */
  readonly notes?: string | undefined
  /** Command lines, without the name of the program. */
  readonly examples: readonly string[]
  /**
   * Default: the command only has subcommands.
   *
   * @param command Has the arguments.
   */
  run?(values: OptionValues<Table>, terminal: Terminal, command: Command): void | Promise<void>
}

/** Defines a command. Returns the function that creates it. */
export function defineCommand<Table extends OptionTable>(
  definition: CommandDefinition<Table>,
): (terminal: Terminal) => Command {
  const { name, description, args = [], options, notes, examples } = definition
  const lines = ['Examples:', ...examples.map((line) => `  petstore-sandbox ${line}`)]
  const end = `${notes === undefined ? '' : `\n${notes}\n`}\n${lines.join('\n')}`
  return (terminal) => {
    const command = new Command(name)
    command.description(description).addHelpText('after', end)
    for (const [usage, meaning] of args) command.argument(usage, meaning)
    for (const each of Object.values(options)) command.addOption(each)
    if (!definition.run) return command
    return command.action(() =>
      definition.run?.(readOptions(command, options, terminal.env), terminal, command),
    )
  }
}

import { Command } from 'commander'
import type { Runner, WorldAction } from './runner.js'

/** A command of `world`: what it is called and for, and what loads the rest of it. */
export interface CommandRow {
  readonly name: string
  /** A sentence. */
  readonly description: string
  /** Each as commander writes it, `<duration>`, with what it is. */
  readonly args?: readonly (readonly [usage: string, description: string])[]
  /** Each with what it does. */
  readonly options?: readonly (readonly [flags: string, description: string])[]
  /** A paragraph of the help. */
  readonly notes?: string
  /** What a user types after the name of the program. */
  readonly examples: readonly string[]
  readonly load: () => Promise<WorldAction>
}

/** Commands about one thing; the first one runs when none is named. */
export interface CommandGroup {
  readonly name: string
  /** A sentence. */
  readonly description: string
  readonly rows: readonly CommandRow[]
}

/** Makes the command of a row, or of a group with those in it. */
export function defineRow(row: CommandRow | CommandGroup, runner: Runner): Command {
  return 'rows' in row ? defineGroup(row, runner) : defineLeaf(row, runner)
}

/** The examples at the end of a help. */
export function toExamples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  petstore-sandbox ${line}`).join('\n')}`
}

function defineGroup({ name, description, rows }: CommandGroup, runner: Runner): Command {
  const examples = rows.map((row) => row.examples[0] ?? '')
  const group = new Command(name)
    .description(description)
    .addHelpText('after', toExamples(examples))
  for (const [index, row] of rows.entries()) {
    group.addCommand(defineLeaf(row, runner), { isDefault: index === 0 })
  }
  return group
}

function defineLeaf(row: CommandRow, runner: Runner): Command {
  const { name, description, args = [], options = [], notes, examples, load } = row
  const leaf = new Command(name)
    .description(description)
    .addHelpText('after', `${notes ? `\n${notes}\n` : ''}${toExamples(examples)}`)
    .action(runner(load))
  for (const [usage, what] of args) leaf.argument(usage, what)
  for (const [flags, what] of options) leaf.option(flags, what)
  return leaf
}

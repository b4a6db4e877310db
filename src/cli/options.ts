import { Command, Option } from 'commander'

/**
 * An option that an environment variable can also set: `--max-worlds` is also
 * `PETSTORE_SANDBOX_MAX_WORLDS`. The command line takes precedence.
 */
export class EnvOption extends Option {
  /** Names of the variables. The first that is set and not empty is used. */
  readonly variables: readonly string[]

  constructor(flags: string, description: string, ...otherVariables: readonly string[]) {
    super(flags)
    const name = this.name().replaceAll('-', '_').toUpperCase()
    this.variables = [`PETSTORE_SANDBOX_${name}`, ...otherVariables]
    this.description = `${description} (env: ${this.variables.join(', ')})`
  }
}

/** A command whose exit code 1 is a result, so that failures exit with 2 by default. */
export class AssessmentCommand extends Command {}

/**
 * Sets the options that are missing on the command line from environment variables. Commander's
 * own `Option.env()` accepts an empty variable as a value, and any value of a flag as true.
 */
export function readEnvironment(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const option of command.options) {
    const key = option.attributeName()
    if (!(option instanceof EnvOption) || command.getOptionValueSource(key) === 'cli') continue
    const variable = option.variables.find((name) => env[name])
    if (variable) command.setOptionValueWithSource(key, env[variable], variable)
  }
}

/** Returns the name of a command with those of its parents: `petstore-sandbox world clock`. */
export function toCommandLine(command: Command): string {
  const { parent } = command
  return parent ? `${toCommandLine(parent)} ${command.name()}` : command.name()
}

/** Formats the examples at the end of a help text. */
export function toExamples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  petstore-sandbox ${line}`).join('\n')}`
}

import { type Command, Option } from 'commander'

/**
 * An option that a variable of the environment may state as well, so that a container needs no
 * arguments: `--max-worlds` is also `PETSTORE_SANDBOX_MAX_WORLDS`. The command line wins.
 */
export class EnvOption extends Option {
  /** The names of the variables; the first one that is set counts. */
  readonly variables: readonly string[]

  constructor(flags: string, description: string, ...further: readonly string[]) {
    super(flags)
    const name = this.name().replaceAll('-', '_').toUpperCase()
    this.variables = [`PETSTORE_SANDBOX_${name}`, ...further]
    this.description = `${description} (env: ${this.variables.join(', ')})`
  }
}

/**
 * Fills in the options that the command line left out. Commander's own way takes an empty variable
 * for a value, and any value, even `false`, for a yes.
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

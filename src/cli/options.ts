import { Command, Option } from 'commander'
import { findNearestName } from '../service/validation/nearest-name.js'

/** Beginning of the variables of this program. */
const prefix = 'PETSTORE_SANDBOX_'

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
    this.variables = [`${prefix}${name}`, ...otherVariables]
    this.description = `${description} (env: ${this.variables.join(', ')})`
  }
}

/**
 * An option whose variable must not be empty: the variable of a secret is empty by mistake, and
 * without a secret everyone has access.
 */
export class SecretOption extends EnvOption {}

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
    const isSet = (name: string) =>
      option instanceof SecretOption ? env[name] !== undefined : Boolean(env[name])
    const variable = option.variables.find(isSet)
    if (variable) command.setOptionValueWithSource(key, env[variable], variable)
  }
}

/** A variable that the Playwright fixture sets for its own processes. */
const fixtureVariable = `${prefix}REPORT`

/** Returns a line for each variable with the prefix of this program that no command reads. */
export function describeUnknownVariables(
  commands: readonly Command[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const options = commands.flatMap((command) => command.options)
  const known = options.flatMap((option) => (option instanceof EnvOption ? option.variables : []))
  const toName = (variable: string) => variable.replace(prefix, '')
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && name !== fixtureVariable && !known.includes(name),
  )
  return unknown.sort().map((name) => {
    const nearest = findNearestName(toName(name), known.map(toName))
    const hint =
      nearest === undefined
        ? 'petstore-sandbox help serve lists them'
        : `did you mean ${prefix}${nearest}?`
    return `${name} is not a variable of petstore-sandbox and has no effect; ${hint}`
  })
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

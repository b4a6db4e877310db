import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { findNearestName } from '../service/validation/nearest-name.js'
import { describeMismatch, validate } from '../service/validation/validate.js'
import { UsageError } from '../verify/usage-error.js'
import type { Terminal } from './terminal.js'

type Env = Terminal['env']

/** Beginning of the variables of this program. */
const prefix = 'PETSTORE_SANDBOX_'

/** An option with the schema of its value, which is a string, or true for a flag. */
export class CheckedOption<Schema extends z.ZodMiniType = z.ZodMiniType> extends Option {
  /**
   * Names of the environment variables that also set it. The first that is set and not empty is
   * used; the command line takes precedence.
   */
  variables: readonly string[] = []
  /** Whether an empty variable is an error: without a secret, everyone has access. */
  isSecret = false

  constructor(
    flags: string,
    description: string,
    readonly schema: Schema,
  ) {
    super(flags, description)
  }

  /** Reads the option from environment variables as well. */
  fromVariables(...variables: readonly string[]): this {
    this.variables = variables
    this.description += ` (env: ${variables.join(', ')})`
    return this
  }
}

/** Creates an option. One without a value, such as `--watch`, is true if it is set. */
export function option<Schema extends z.ZodMiniType>(
  flags: string,
  description: string,
  schema: Schema,
): CheckedOption<Schema> {
  return new CheckedOption(flags, description, schema)
}

/**
 * Creates an option that an environment variable can also set: `--max-worlds` is also
 * `PETSTORE_SANDBOX_MAX_WORLDS`.
 */
export function envOption<Schema extends z.ZodMiniType>(
  flags: string,
  description: string,
  schema: Schema,
  ...otherVariables: readonly string[]
): CheckedOption<Schema> {
  const created = option(flags, description, schema)
  const name = created.name().replaceAll('-', '_').toUpperCase()
  return created.fromVariables(`${prefix}${name}`, ...otherVariables)
}

/** The options of a command. The key of each is the name of its value. */
export type OptionTable = Readonly<Record<string, CheckedOption>>

/** The values of the options of a command. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>
}

/**
 * Reads and validates the options of a command. Those that are missing on the command line are read
 * from environment variables. Commander's own `Option.env()` accepts an empty variable as a value, and
 * any value of a flag as true.
 *
 * @throws {UsageError} If an option is invalid. The message names its flag or environment variable.
 */
export function readOptions<Table extends OptionTable>(
  command: Command,
  options: Table,
  env: Env,
): OptionValues<Table> {
  const entries = Object.entries(options)
  const schema = z.object(Object.fromEntries(entries.map(([name, each]) => [name, each.schema])))
  const values = Object.fromEntries(
    entries.map(([name, each]) => {
      const variable = findVariable(command, each, env)
      return [name, variable ? env[variable] : command.getOptionValue(each.attributeName())]
    }),
  )
  const result = validate(schema, values)
  if (result.ok) return result.value as OptionValues<Table> // of the same schemas
  const sentences = result.mismatches.map((mismatch) => {
    const name = mismatch.path.replace(/\W.*/, '') // of scenario[0]
    const each = options[name]
    const path = (each && (findVariable(command, each, env) ?? each.long)) ?? name
    const hasCredentials = /url$|redis/i.test(name) && String(values[name]).includes('@')
    const found = hasCredentials ? 'one with a user name or a password' : mismatch.found
    return describeMismatch({ ...mismatch, path, found })
  })
  throw new UsageError(`${sentences.join('; ')}; see ${toCommandLine(command)} --help`)
}

/** Returns the values of some options. */
export function pickValues<Table extends OptionTable>(
  values: OptionValues<Table>,
  options: Table,
): OptionValues<Table> {
  const entries = Object.keys(options).map((name) => [name, values[name]])
  return Object.fromEntries(entries) as OptionValues<Table> // the same names
}

/** Returns the variable that sets an option; undefined for none. */
function findVariable(command: Command, each: CheckedOption, env: Env): string | undefined {
  if (command.getOptionValueSource(each.attributeName()) === 'cli') return undefined
  return each.variables.find((name) =>
    each.isSecret ? env[name] !== undefined : Boolean(env[name]),
  )
}

/** Schema of an option without a value. Its environment variable is true or false. */
export const flagSchema = z._default(
  z.union([z.literal(true), z.stringbool()], { error: 'true or false' }),
  false,
)

/** Creates the option of a directory of scenario files. */
export function scenariosOption(description: string) {
  return envOption('--scenarios <dir>', description, z.optional(textSchema('a directory')))
}

/** The options of a command that writes its output to stdout or to a file. */
export function outputOptions() {
  const schema = z.optional(textSchema('a file'))
  return {
    output: option('-o, --output <file>', 'Writes to this file instead of stdout.', schema),
    force: option('--force', 'Replaces an existing file.', flagSchema),
  }
}

/** Creates the schema of a string with an integer. */
export function integerSchema(from: number, to = 10_000_000) {
  const error = `an integer from ${from} to ${to}`
  const digits = new RegExp(`^\\d{1,${String(to).length}}$`)
  const isValid = (value: string) =>
    digits.test(value) && Number(value) >= from && Number(value) <= to
  return z.pipe(z.string().check(z.refine(isValid, { error })), z.transform(Number))
}

/** Creates the schema of a string that must not be empty. */
export function textSchema(wanted: string) {
  return z.string().check(z.minLength(1, { error: wanted }))
}

/** Creates the schema of a string that may be secret, and must not appear in messages. */
export function secretSchema(isValid: (value: string) => boolean, wanted: string) {
  return z.string().check(
    z.superRefine((value, context) => {
      const input = value === '' ? '' : '…'
      if (!isValid(value)) context.addIssue({ code: 'custom', message: wanted, input })
    }),
  )
}

/** A variable that the Playwright fixture sets for its own processes. */
const fixtureVariable = `${prefix}REPORT`

/** Returns a line for each variable with the prefix of this program that no command reads. */
export function describeUnknownVariables(commands: readonly Command[], env: Env): string[] {
  const options = commands.flatMap((command) => command.options)
  const known = options.flatMap((each) => (each instanceof CheckedOption ? each.variables : []))
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

/** Returns the name of a command after the names of its parents: `petstore-sandbox world clock`. */
export function toCommandLine(command: Command): string {
  const { parent } = command
  return parent ? `${toCommandLine(parent)} ${command.name()}` : command.name()
}

/** Converts `resetsAt` to `resets-at`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

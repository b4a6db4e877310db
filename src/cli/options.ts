import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { findNearestName } from '../service/validation/nearest-name.js'
import { describeMismatch, validate } from '../service/validation/validate.js'
import { UsageError } from '../verify/usage-error.js'
import type { Terminal } from './terminal.js'

type Env = Terminal['env']

/** Beginning of the variables of this program. */
const prefix = 'PETSTORE_SANDBOX_'

/** An option with the schema of its value, which is a string. A flag, such as `--watch`, is true. */
export class CheckedOption<Value = unknown> extends Option {
  /** Type of the valid value. */
  declare readonly value: Value
  /**
   * Names of the environment variables that also set it. The first that is set and not empty is
   * used; the command line takes precedence.
   */
  variables: readonly string[] = []
  /** Whether an empty variable is an error: without a secret, everyone has access. */
  rejectsEmptyVariable = false

  constructor(
    flags: string,
    description: string,
    readonly schema: z.ZodMiniType = flagSchema,
  ) {
    super(flags, description)
  }

  /**
   * Reads the option from environment variables as well.
   *
   * @param variables Default: that of its name, `PETSTORE_SANDBOX_MAX_WORLDS` for `--max-worlds`.
   */
  fromVariables(...variables: readonly string[]): this {
    const own = `${prefix}${this.name().replaceAll('-', '_').toUpperCase()}`
    this.variables = variables.length === 0 ? [own] : variables
    this.description += ` (env: ${this.variables.join(', ')})`
    return this
  }

  /** Makes commander reject a command line without the option. */
  makeRequired(): CheckedOption<NonNullable<Value>> {
    this.makeOptionMandatory()
    return this as CheckedOption<unknown> as CheckedOption<NonNullable<Value>> // it is always set
  }
}

/** Schema of a flag, whose environment variable is true or false. */
const flagSchema = z.union([z.literal(true), z.stringbool()], { error: 'true or false' })

/** Creates an option without a value, which is false if it is absent. */
export function flag(flags: string, description: string): CheckedOption<boolean> {
  return new CheckedOption(flags, description)
}

/** Creates an option. If it is absent, its value is that of `text`, or undefined. */
export function option<Schema extends z.ZodMiniType, Text extends string | undefined = undefined>(
  flags: string,
  description: string,
  schema: Schema,
  text?: Text,
): CheckedOption<z.output<Schema> | (Text extends string ? never : undefined)> {
  return new CheckedOption<never>(flags, description, schema).default(text)
}

/** The options of a command. The key of each is the name of its value. */
export type OptionTable = Readonly<Record<string, CheckedOption>>

/** The values of the options of a command. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name]['value']
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
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, each] of Object.entries(options)) {
    const variable = findVariable(command, each, env)
    const text = variable ? env[variable] : command.getOptionValue(each.attributeName())
    if (text === undefined) {
      values[name] = each.isBoolean() ? false : undefined
      continue
    }
    const result = validate(each.schema, text)
    if (result.ok) values[name] = result.value
    const path = variable ?? each.long ?? name
    const hasCredentials = /url$|redis/i.test(name) && String(text).includes('@')
    for (const mismatch of result.ok ? [] : result.mismatches) {
      const found = hasCredentials ? 'one with a user name or a password' : mismatch.found
      problems.push(describeMismatch({ ...mismatch, path, found }))
    }
  }
  if (problems.length === 0) return values as OptionValues<Table> // of the same schemas
  throw new UsageError(`${problems.join('; ')}; see ${toCommandLine(command)} --help`)
}

/** Returns the variable that sets an option; undefined for none. */
function findVariable(command: Command, each: CheckedOption, env: Env): string | undefined {
  if (command.getOptionValueSource(each.attributeName()) === 'cli') return undefined
  return each.variables.find((name) =>
    each.rejectsEmptyVariable ? env[name] !== undefined : Boolean(env[name]),
  )
}

/** Creates the option of a directory of scenario files. */
export function scenariosOption(description: string) {
  return option('--scenarios <dir>', description, textSchema('a directory')).fromVariables()
}

/** Creates the option of the file that a command writes. */
export function outputOption() {
  return option(
    '-o, --output <file>',
    'Writes to this file instead of stdout.',
    textSchema('a file'),
  )
}

/**
 * Creates the schema of a string that a function reads.
 *
 * @param wanted What the string must be.
 * @param read Returns undefined if the string is invalid.
 * @param isSecret Whether the string may be secret, and must not appear in messages. Default: false.
 */
export function readSchema<Value>(
  wanted: string,
  read: (text: string) => Value | undefined,
  isSecret = false,
) {
  const transform = z.transform((text: string, { issues }) => {
    const value = read(text)
    const input = isSecret && text !== '' ? '…' : text
    if (value === undefined) issues.push({ code: 'custom', message: wanted, input })
    return value as Value // otherwise, there is an issue
  })
  return z.pipe(z.string(), transform)
}

/** Creates the schema of a string with an integer. */
export function integerSchema(from: number, to = 10_000_000) {
  return readSchema(`an integer from ${from} to ${to}`, (text) => {
    const isInteger = /^\d+$/.test(text) && text.length <= String(to).length
    return isInteger && Number(text) >= from && Number(text) <= to ? Number(text) : undefined
  })
}

/** Creates the schema of a string that must not be empty. */
export function textSchema(wanted: string) {
  return readSchema(wanted, (text) => text || undefined)
}

/** Creates the schema of a string that may be secret. */
export function secretSchema(wanted: string, isValid: (text: string) => boolean) {
  return readSchema(wanted, (text) => (isValid(text) ? text : undefined), true)
}

/** A variable that the Playwright fixture sets for its own processes. */
const fixtureVariable = `${prefix}REPORT`

/** Returns a line for each variable with the prefix of this program that sets none of the options. */
export function describeUnknownVariables(options: OptionTable, env: Env): string[] {
  const known = Object.values(options).flatMap(({ variables }) => variables)
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

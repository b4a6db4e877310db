import { type Command, Option } from 'commander'
import { compact } from 'es-toolkit/array'
import * as z from 'zod/mini'
import { environments } from '../service/addresses.js'
import { findNearestName } from '../service/validation/nearest-name.js'
import { isSendable } from '../service/validation/options.js'
import { describeMismatch, validate } from '../service/validation/validate.js'
import { publicUrlSchema, toRoot } from '../transport/http/hosts.js'
import { UsageError } from '../verify/usage-error.js'
import type { Terminal } from './terminal.js'

/** Beginning of the variables of this program. */
const prefix = 'PETSTORE_SANDBOX_'

/**
 * An option with the schema of its value, which is a string. A flag, such as `--watch`, is true.
 * Commander's own `choices()`, `argParser()` and `env()` are not used for validation: the first
 * invalid option would hide the others, and an empty variable would be a value.
 */
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
  isRequired = false

  constructor(
    flags: string,
    description: string,
    readonly schema: z.ZodMiniType = flagSchema,
  ) {
    super(flags, description)
    if (schema instanceof z.ZodMiniEnum) this.argChoices = schema.options.map(String) // for the help
  }

  /**
   * Reads the option from environment variables as well.
   *
   * @param variables Default: derived from its name, `PETSTORE_SANDBOX_MAX_WORLDS` for `--max-worlds`.
   */
  fromVariables(...variables: readonly string[]): this {
    const own = `${prefix}${this.name().replaceAll('-', '_').toUpperCase()}`
    this.variables = variables.length === 0 ? [own] : variables
    this.description += ` (env: ${this.variables.join(', ')})`
    return this
  }

  /** Makes the absence of the option an error. */
  asRequired(): CheckedOption<NonNullable<Value>> {
    this.isRequired = true
    return this as CheckedOption<unknown> as CheckedOption<NonNullable<Value>> // otherwise an error
  }

  /** Sets the string that is read if the option is absent. */
  withDefault(text: string): CheckedOption<NonNullable<Value>> {
    this.default(text)
    return this as CheckedOption<unknown> as CheckedOption<NonNullable<Value>> // it is always set
  }
}

/** Schema of a flag, whose environment variable is true or false. */
const flagSchema = z.union([z.literal(true), z.stringbool()], { error: 'true or false' })

/** Creates an option without a value, which is false if it is absent. */
export function flag(flags: string, description: string): CheckedOption<boolean> {
  return new CheckedOption(flags, description)
}

/** Creates an option, which is undefined if it is absent. */
export function option<Schema extends z.ZodMiniType>(
  flags: string,
  description: string,
  schema: Schema,
): CheckedOption<z.output<Schema> | undefined> {
  return new CheckedOption(flags, description, schema)
}

/**
 * Creates an option with a string that a function reads.
 *
 * @param wanted What the string must be.
 * @param read Returns undefined if the string is invalid.
 * @param isSecret Whether the string may be secret, and must not appear in messages. Default: false.
 */
export function parsed<Value>(
  flags: string,
  description: string,
  wanted: string,
  read: (value: string) => Value | undefined,
  isSecret = false,
): CheckedOption<Value | undefined> {
  const transform = z.transform((value: string, { issues }) => {
    const result = read(value)
    const input = isSecret && value !== '' ? '…' : value
    if (result === undefined) issues.push({ code: 'custom', message: wanted, input })
    return result as Value // otherwise, there is an issue
  })
  return option(flags, description, z.pipe(z.string(), transform))
}

/** Creates an option with a string that is not empty. */
export function text(flags: string, description: string) {
  return parsed(flags, description, 'a string that is not empty', (value) => value || undefined)
}

/** Creates an option with one of several words. */
export function choice<const Word extends string>(
  flags: string,
  description: string,
  words: readonly Word[],
): CheckedOption<Word | undefined> {
  return option(flags, description, z.enum(words))
}

/** Creates an option with an integer. */
export function integer(flags: string, description: string, from: number, to = 10_000_000) {
  return parsed(flags, description, `an integer from ${from} to ${to}`, (value) => {
    const isInteger = /^\d+$/.test(value) && value.length <= String(to).length
    return isInteger && Number(value) >= from && Number(value) <= to ? Number(value) : undefined
  })
}

/** Creates an option with a string that may be secret, and must not appear in messages. */
export function secret(
  flags: string,
  description: string,
  wanted: string,
  isValid: (value: string) => boolean,
) {
  const read = (value: string) => (isValid(value) ? value : undefined)
  return parsed(flags, description, wanted, read, true)
}

/** Creates the option of an API key. */
export function apiKey(flags: string, description: string) {
  return secret(flags, description, 'an API key: printable ASCII without spaces', isSendable)
}

/** Creates the option of a base URL. Slashes at its end are removed. */
export function baseUrl(flags: string, description: string, example: string) {
  const wanted = `an http or https URL without a query, user name or password, such as "${example}"`
  return parsed(flags, description, wanted, (value) =>
    publicUrlSchema.safeParse(value).success ? toRoot(value) : undefined,
  )
}

/** Creates the option of a directory of scenario files. */
export function scenariosOption(description: string) {
  return text('--scenarios <dir>', description).fromVariables()
}

/** Creates the option of the file that a command writes. */
export function outputOption(description = 'Writes to this file instead of stdout.') {
  return text('-o, --output <file>', description)
}

/** Creates the options of a command that sends requests to a deployment. */
export function createSendingOptions() {
  const timeout = 'Timeout of a request with its response.'
  const wait = 'The longest time that it waits for the limit of the key, in total.'
  return {
    url: baseUrl('--url <url>', 'The {base_url}, which ends in /v1.', 'http://127.0.0.1:4010/v1'),
    key: apiKey('--key <key>', 'API key.').fromVariables('PETSTORE_API_KEY'),
    timeoutSeconds: integer('--timeout <seconds>', timeout, 1, 3_600).withDefault('30'),
    maxWaitSeconds: integer('--max-wait <seconds>', wait, 0, 86_400).withDefault('300'),
  }
}

/** Lets environment variables set the options of a table that none sets yet. */
export function withVariables<Table extends OptionTable>(table: Table): Table {
  for (const each of Object.values(table)) if (each.variables.length === 0) each.fromVariables()
  return table
}

const root = 'http://127.0.0.1:4010'

/** The options of every command of `world`. */
export const worldOptions = {
  ...withVariables({
    url: baseUrl('--url <url>', 'Root URL of the sandbox.', root).withDefault(root),
    key: apiKey('--key <key>', 'API key, which names the world.').withDefault('sbx_free'),
    token: secret(
      '--token <token>',
      'Token that the sandbox requires, sent as Sandbox-Token.',
      'printable ASCII characters without spaces',
      isSendable,
    ),
  }),
  environment: choice(
    '--environment <name>',
    'Environment of the world.',
    environments,
  ).withDefault('production'),
  json: flag('--json', 'Prints the response of the sandbox as JSON.'),
}

/** Returns the names that a string separates by commas. */
export function splitList(value: string): string[] {
  return compact(value.split(',').map((name) => name.trim()))
}

/** The options of a command. The key of each is the name of its value. */
export type OptionTable = Readonly<Record<string, CheckedOption>>

/** The values of the options of a command. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name]['value']
}

/**
 * Reads and validates the options of a command. Those that are missing on the command line are read
 * from environment variables.
 *
 * @throws {UsageError} If an option is invalid. The message names its flag or environment variable.
 */
export function readOptions<Table extends OptionTable>(
  command: Command,
  options: Table,
  env: Terminal['env'],
): OptionValues<Table> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, each] of Object.entries(options)) {
    const variable = findVariable(command, each, env)
    const text = variable ? env[variable] : command.getOptionValue(each.attributeName())
    if (text === undefined) {
      values[name] = each.isBoolean() ? false : undefined
      const names = [each.long, ...each.variables].join(' or ')
      if (each.isRequired) problems.push(`${names} is missing`)
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
function findVariable(
  command: Command,
  each: CheckedOption,
  env: Terminal['env'],
): string | undefined {
  if (command.getOptionValueSource(each.attributeName()) === 'cli') return undefined
  return each.variables.find((name) =>
    each.rejectsEmptyVariable ? env[name] !== undefined : Boolean(env[name]),
  )
}

/** A variable that the Playwright fixture sets for its own processes. */
const fixtureVariable = `${prefix}REPORT`

/** Returns a line for each variable with the prefix of this program that sets none of the options. */
export function describeUnknownVariables(options: OptionTable, env: Terminal['env']): string[] {
  const known = Object.values(options).flatMap(({ variables }) => variables)
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && name !== fixtureVariable && !known.includes(name),
  )
  return unknown.sort().map((name) => {
    // The prefix does not count for the similarity.
    const nearest = findNearestName(name, known, Math.floor((name.length - prefix.length) / 3))
    const hint = nearest ? `did you mean ${nearest}?` : 'petstore-sandbox help serve lists them'
    return `${name} is not a variable of petstore-sandbox and has no effect; ${hint}`
  })
}

/** Returns the name of a command after the names of its parents: `petstore-sandbox world clock`. */
export function toCommandLine(command: Command): string {
  const { parent } = command
  return parent ? `${toCommandLine(parent)} ${command.name()}` : command.name()
}

import type { Command } from 'commander'
import * as z from 'zod/mini'
import type { ControlOperation } from '../../control/operation.js'
import { type Int64, isInt64 } from '../../service/int64.js'
import { parseJson } from '../../service/json.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { readJson, readScenarioFile } from '../../world/scenario/files.js'

/** Help text for arguments that `readFields` reads. */
export const fieldNotes = `A value is read as JSON if it is valid JSON, otherwise as a string: quantity=3, name=Rex, 'name="7"'.`

/**
 * Reads an argument that is JSON, or the path of a JSON file.
 *
 * @param name Name of the argument in error messages.
 * @throws {UsageError | ScenarioError} If the JSON is invalid or the file cannot be read.
 */
export async function readJsonArgument(text: string, name: string): Promise<unknown> {
  if (!/^\s*[[{]/.test(text)) return (await readScenarioFile(text)).file
  try {
    return await readJson(text)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${name} must be JSON or a .json file, found ${found}`)
  }
}

/**
 * Reads a request body from arguments: `name=value` for each field, one JSON value, or a .json file.
 *
 * @throws {UsageError | ScenarioError} If an argument has another form.
 */
export async function readFields(args: readonly string[]): Promise<unknown> {
  const [first = ''] = args
  const isWhole = args.length === 1 && /^\s*[[{]|^[^=]+\.json$/.test(first)
  return isWhole ? readJsonArgument(first, 'fields') : Object.fromEntries(args.map(readField))
}

function readField(text: string): [name: string, value: unknown] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), readValue(text.slice(equals + 1))]
  const wanted = 'name=value, a JSON object or a .json file'
  throw new UsageError(`a field must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** An integer beyond 2^53−1 stays a string, because a JSON number is inexact. */
function readValue(text: string): unknown {
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return text
  const value = parseJson(text)
  return value === undefined ? text : value
}

/**
 * Reads a path parameter.
 *
 * @throws {UsageError} If it is not an int64: `..` would change the path.
 */
export function readId(name: string, text = ''): Int64 {
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal such as 7'
  throw new UsageError(`${name} must be ${wanted}, found ${JSON.stringify(text)}`)
}

/**
 * Formats a request body as arguments that `readFields` reads, quoted for a shell: `name=value` for
 * each field if all values are simple, otherwise JSON.
 */
export function toFieldArguments(body: unknown): string {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const isSimple = !Array.isArray(body) && fields.length > 0 && fields.every(isSimpleField)
  if (isSimple) return fields.map(([name, value]) => `${name}=${value}`).join(' ')
  return `'${JSON.stringify(body).replaceAll("'", '\\u0027')}'`
}

function isSimpleField([name, value]: [string, unknown]): boolean {
  const text = String(value)
  return /^[\w.:+-]+$/.test(text) && readField(`${name}=${text}`)[1] === value
}

/** Returns the options for the query parameters of an operation, in the syntax of commander. */
export function toQueryOptions(
  operation: ControlOperation,
): (readonly [flags: string, description: string])[] {
  return Object.entries(toQueryShape(operation)).map(([name, schema]) => {
    const flag = `--${toKebabCase(name)}`
    if (!isFlag(schema)) return [`${flag} <${name}>`, describeField(schema)]
    return [
      flag,
      describeField(schema).replace(/^true: ./, (start) => start.slice(6).toUpperCase()),
    ]
  })
}

/** Reads the query parameters of an operation from the options of a command. */
export function readQuery(
  operation: ControlOperation,
  command: Command,
): Readonly<Record<string, string>> {
  const options: Readonly<Record<string, string | true>> = command.opts() // as commander sets them
  const names = Object.keys(toQueryShape(operation)).filter((name) => options[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, String(options[name])]))
}

function toQueryShape({ query }: ControlOperation): z.core.$ZodShape {
  const schema = query
  return schema instanceof z.ZodMiniObject ? schema.shape : {}
}

/** Whether a query parameter is an enumeration of `true` and `false`. */
function isFlag(schema: z.core.$ZodType): boolean {
  const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema
  return inner instanceof z.ZodMiniEnum && inner.options.join() === 'true,false'
}

/** Returns the description of a field; empty if it has none. */
function describeField(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description !== undefined) return description
  return schema instanceof z.ZodMiniOptional ? describeField(schema.def.innerType) : ''
}

/** Formats fields as indented lines of a name and a description. */
export function toFieldLines(shape: z.core.$ZodShape, indent = '  '): string[] {
  const width = Math.max(0, ...Object.keys(shape).map((name) => name.length))
  return Object.entries(shape).map(([name, schema]) =>
    `${indent}${name.padEnd(width)}  ${describeField(schema)}`.trimEnd(),
  )
}

/** Converts `changePet` to `change-pet`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

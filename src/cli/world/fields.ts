import { kebabCase, upperFirst } from 'es-toolkit/string'
import * as z from 'zod/mini'
import { parseJson } from '../../service/json.js'
import type { BodyContract } from '../../service/operations/operation.js'
import { UsageError } from '../../verify/usage-error.js'
import { readJson, readScenarioFile } from '../../world/scenario/files.js'
import { type CheckedOption, flag, type OptionTable, option } from '../options.js'

/** A value that an option or an argument sets: a query parameter, or a field of the body. */
export interface Field {
  /** `minute.remaining` is `['minute', 'remaining']`. */
  readonly path: readonly string[]
  readonly type: z.core.$ZodType
  readonly description: string
}

/** Lists the fields of an object schema. Other schemas have none. */
function listFields(schema: z.core.$ZodType, parent: readonly string[] = []): readonly Field[] {
  if (!(schema instanceof z.ZodMiniObject)) return []
  return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    return { path: [...parent, name], type: unwrap(field), description: describeSchema(field) }
  })
}

/** Lists the fields of an object schema. The fields of nested objects take the place of the object. */
export function listLeaves(
  schema: z.core.$ZodType,
  parent: readonly string[] = [],
): readonly Field[] {
  return listFields(schema, parent).flatMap((field) => {
    const leaves = listLeaves(field.type, field.path)
    return leaves.length > 0 ? leaves : [field]
  })
}

/** Returns the schema of a value that is there. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniNullable
  return isWrapper ? unwrap(schema.def.innerType) : schema
}

/** Returns the description of a schema; empty if it has none. */
export function describeSchema(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {}
  if (description !== undefined) return description.replaceAll('`', '')
  return schema instanceof z.ZodMiniOptional ? describeSchema(schema.def.innerType) : ''
}

/**
 * Creates the options that set fields, by the paths of the fields: `minute.remaining`.
 *
 * @param verb Name of the command. An option does not repeat it: `quota ban --seconds`.
 */
export function toOptions(fields: readonly Field[], verb: string): OptionTable {
  return Object.fromEntries(fields.map((field) => [field.path.join('.'), toOption(field, verb)]))
}

function toOption({ path, type, description }: Field, verb: string): CheckedOption {
  const words = path[0] === verb ? path.slice(1) : path
  const name = `--${kebabCase(words.join(' '))}`
  if (isFlag(type)) return flag(name, upperFirst(description.replace(/^true: /, '')))
  return option(`${name} <${kebabCase(path.at(-1) ?? '')}>`, description, toTextSchema(type))
}

/** Returns the schema of the string that an option has. The sandbox validates the value. */
function toTextSchema(type: z.core.$ZodType): z.ZodMiniType {
  if (type instanceof z.ZodMiniEnum) return type
  return type instanceof z.ZodMiniString ? z.string() : z.transform(readValue)
}

/** Whether a field is true or false. A query parameter has these values as strings. */
function isFlag(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodMiniEnum) return type.options.join() === 'true,false'
  return type instanceof z.ZodMiniBoolean
}

/** Reads a value as JSON if it is valid JSON, otherwise as a string. */
export function readValue(text: string): unknown {
  // An integer beyond 2^53−1 stays a string, because a JSON number is inexact.
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return text
  const value = parseJson(text)
  return value === undefined ? text : value
}

/**
 * Reads a request body from arguments: `name=value` for each field, one JSON value, or a .json file.
 *
 * @throws {UsageError | ScenarioError} If an argument has another form.
 */
export async function readBody(args: readonly string[]): Promise<unknown> {
  const [first = ''] = args
  if (args.length > 1 || !/^\s*[[{]|^[^=]+\.json$/.test(first)) {
    return Object.fromEntries(args.map(readField))
  }
  if (!/^\s*[[{]/.test(first)) return (await readScenarioFile(first)).file
  try {
    return await readJson(first)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new UsageError(`fields must be JSON or a .json file, found ${found}`)
  }
}

function readField(text: string): [name: string, value: unknown] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), readValue(text.slice(equals + 1))]
  const wanted = 'name=value, a JSON object or a .json file'
  throw new UsageError(`a field must be ${wanted}, found ${JSON.stringify(text)}`)
}

/**
 * Formats a request body as arguments that `readBody` reads, quoted for a shell: `name=value` for
 * each field if all values are simple, otherwise JSON.
 */
export function toBodyArguments(body: unknown): string {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const isSimple = !Array.isArray(body) && fields.length > 0 && fields.every(isSimpleField)
  if (isSimple) return fields.map(([name, value]) => `${name}=${value}`).join(' ')
  return `'${JSON.stringify(body).replaceAll("'", '\\u0027')}'`
}

function isSimpleField([name, value]: [string, unknown]): boolean {
  const text = String(value)
  return /^[\w.:+-]+$/.test(text) && readField(`${name}=${text}`)[1] === value
}

/** Returns the argument that `readBody` reads, in the syntax of commander, with a description. */
export function toBodyArgument({ schema }: BodyContract): [usage: string, description: string] {
  return schema instanceof z.ZodMiniArray
    ? ['<list>', 'A JSON array, or a .json file.']
    : ['<field...>', 'Fields as name=value, a JSON object, or a .json file.']
}

/** Describes the arguments that `readBody` reads, for a help text. */
export function describeBody({ schema, documentedSchema = schema }: BodyContract): string {
  const type =
    documentedSchema instanceof z.ZodMiniArray ? documentedSchema.def.element : documentedSchema
  const lines =
    type instanceof z.ZodMiniDiscriminatedUnion
      ? describeTypes(type.def.options.map((option) => listFields(option)))
      : ['Fields:', ...toLines(listFields(type), '  ')]
  const note = `A value is read as JSON if it is valid JSON, otherwise as a string: quantity=3, name=Rex, 'name="7"'.`
  return [...lines, '', note].join('\n')
}

/** Describes the variants of a union. The first field of each is its type. */
function describeTypes(variants: readonly (readonly Field[])[]): readonly string[] {
  const isCommon = ({ path: [name] }: Field) =>
    variants.every((variant) => variant.some(({ path }) => path[0] === name))
  const types = variants.flatMap(([type, ...fields]) => {
    const value = type?.type instanceof z.ZodMiniLiteral ? type.type.def.values[0] : ''
    const own = fields.filter((field) => !isCommon(field))
    return [`  type=${value}: ${type?.description}`, ...toLines(own, '    ')]
  })
  const [, ...common] = variants[0]?.filter(isCommon) ?? []
  return [
    'Types and their fields:',
    ...types,
    '',
    'Fields of every type:',
    ...toLines(common, '  '),
  ]
}

function toLines(fields: readonly Field[], indent: string): readonly string[] {
  const width = Math.max(0, ...fields.map(({ path: [name = ''] }) => name.length))
  return fields.map(({ path: [name = ''], description }) =>
    `${indent}${name.padEnd(width)}  ${description}`.trimEnd(),
  )
}

import { uniq } from 'es-toolkit/array'
import * as z from 'zod/mini'
import { describeMismatch, validate } from '../../service/validation/validate.js'
import { describeSchema, unwrap } from '../world/fields.js'

/** The part of JSON Schema that a coding agent needs: names, types and descriptions. */
interface JsonSchema {
  readonly type?: string | undefined
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The arguments of a tool by name. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>

/**
 * Returns the schema of the arguments of a tool, as the MCP server takes it. It rejects unknown and
 * missing arguments; the sandbox validates the values.
 *
 * @param hidden Names of fields that it omits at every depth.
 */
export function toInputSchema(shape: Shape, hidden: readonly string[] = []) {
  const known = Object.entries(shape).map(([name, type]): [string, z.ZodMiniType] => {
    const isGiven = z.custom((value) => value !== undefined, 'a value')
    return [name, isOptional(type) ? z.optional(z.unknown()) : isGiven]
  })
  const argsSchema = z.strictObject(Object.fromEntries(known))
  const toJsonSchema = () => ({ ...toObject(shape, hidden) })
  return {
    '~standard': {
      version: 1,
      vendor: 'petstore-sandbox',
      validate(args: unknown) {
        const result = validate(argsSchema, args)
        if (result.ok) return { value: result.value }
        return { issues: result.mismatches.map((each) => ({ message: describeMismatch(each) })) }
      },
      jsonSchema: { input: toJsonSchema, output: toJsonSchema },
    },
  } as const
}

function isOptional(type: z.core.$ZodType): boolean {
  return type instanceof z.ZodMiniOptional || type instanceof z.ZodMiniDefault
}

function toObject(shape: Shape, hidden: readonly string[]): JsonSchema {
  const fields = Object.entries(shape).filter(([name]) => !hidden.includes(name))
  const required = fields.filter(([, type]) => !isOptional(type)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, type]) => [name, toField(type, hidden)])),
    ...(required.length > 0 && { required }),
  }
}

function toField(type: z.core.$ZodType, hidden: readonly string[]): JsonSchema {
  const description = describeSchema(type)
  const given = type instanceof z.ZodMiniOptional ? type.def.innerType : type
  const schema = toType(unwrap(given), hidden)
  const isNullable = given instanceof z.ZodMiniNullable
  return {
    ...(isNullable ? { anyOf: [schema, { type: 'null' }] } : schema),
    ...(description && { description }),
  }
}

function toType(type: z.core.$ZodType, hidden: readonly string[]): JsonSchema {
  if (type instanceof z.ZodMiniObject) return toObject(type.shape, hidden)
  if (type instanceof z.ZodMiniDiscriminatedUnion) return mergeVariants(type.def.options, hidden)
  if (type instanceof z.ZodMiniUnion) return toUnion(type.def.options)
  if (type instanceof z.ZodMiniEnum) return toEnum(type.options)
  if (type instanceof z.ZodMiniLiteral) return toEnum(type.def.values)
  if (type instanceof z.ZodMiniArray) {
    return { type: 'array', items: toField(type.def.element, hidden) }
  }
  const [, name] = typeNames.find(([kind]) => type instanceof kind) ?? []
  return name === undefined ? {} : { type: name }
}

/** The names of simple types. A transformation is a number in a query. */
const typeNames = [
  [z.ZodMiniString, 'string'],
  [z.ZodMiniBoolean, 'boolean'],
  [z.ZodMiniNumberFormat, 'integer'],
  [z.ZodMiniNumber, 'number'],
  [z.ZodMiniPipe, 'integer'],
  [z.ZodMiniRecord, 'object'],
] as const

/** A flag of a query has the values `true` and `false` as strings. */
function toEnum(values: readonly unknown[]): JsonSchema {
  return values.join() === 'true,false' ? { type: 'boolean' } : { type: 'string', enum: values }
}

/** Returns the types of a union. Its description shows the fields of its objects. */
function toUnion(options: readonly z.core.$ZodType[]): JsonSchema {
  const types = options.map((each) => toType(unwrap(each), []).type)
  return { anyOf: uniq(types).map((type) => ({ type })) }
}

/** Returns one object with the fields of every variant. The first variant describes a common field. */
function mergeVariants(options: readonly z.core.$ZodType[], hidden: readonly string[]): JsonSchema {
  const variants = options.map((each) => toType(each, hidden).properties ?? {})
  const types = variants.flatMap(({ type }) => type ?? [])
  const type = {
    type: 'string',
    enum: types.flatMap((each) => each.enum ?? []),
    description: types.map((each) => `${each.enum}: ${each.description}`).join(' '),
  }
  return { type: 'object', properties: Object.assign({}, ...variants.toReversed(), { type }) }
}

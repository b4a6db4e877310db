import type { OpenApiDocument } from './document.js'

type Json = Readonly<Record<string, unknown>>

/**
 * Converts a document to OpenAPI 3.0, for tools that do not read 3.1. Schemas lose only
 * `propertyNames`, which OpenAPI 3.0 does not have.
 */
export function downgrade(document: OpenApiDocument): Json {
  return { ...(convertObject(document) as Json), openapi: '3.0.4' }
}

/** Converts the schemas of an object that is not a schema itself. Examples are data. */
function convertObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertObject)
  if (typeof value !== 'object' || value === null) return value
  return mapEntries(value, (field, name) => {
    if (name === 'schema') return convertSchema(field)
    if (name === 'schemas') return mapEntries(field, convertSchema)
    return name === 'example' || name === 'examples' ? field : convertObject(field)
  })
}

/** Converts a schema of JSON Schema 2020-12 to one of OpenAPI 3.0. */
function convertSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { const: constant, propertyNames: _, examples, ...rest } = schema as Json // a JSON object
  return convertReference({
    ...convertTypes(convertBounds(convertNested(rest))),
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
  })
}

function convertNested(schema: Json): Json {
  return mapEntries(schema, (value, name) => {
    if (name === 'properties') return mapEntries(value, convertSchema)
    if (name === 'items' || name === 'additionalProperties') return convertSchema(value)
    return /^(?:any|one|all)Of$/.test(name) ? (value as unknown[]).map(convertSchema) : value // of schemas
  })
}

/** In OpenAPI 3.0, an exclusive bound is a boolean beside the bound. */
function convertBounds({ exclusiveMinimum, exclusiveMaximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  }
}

/** OpenAPI 3.0 has `nullable` in place of the type `null`, and no arrays of types. */
function convertTypes(schema: Json): Json {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type)) {
    return convertTypes({ ...rest, anyOf: type.map((each) => ({ type: each })) })
  }
  if (!Array.isArray(anyOf)) return schema
  const alternatives = anyOf.filter((each) => each.type !== 'null')
  const nullable = alternatives.length < anyOf.length && { nullable: true }
  const [only, ...others] = alternatives
  if (others.length > 0) return { ...rest, anyOf: alternatives, ...nullable }
  return { ...only, ...rest, ...nullable }
}

/** OpenAPI 3.0 ignores the keywords beside a reference. */
function convertReference({ $ref, ...rest }: Json): Json {
  if ($ref === undefined) return rest
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest }
}

function mapEntries(value: unknown, convert: (field: unknown, name: string) => unknown): Json {
  const entries = Object.entries(value as Json) // an object of a document
  return Object.fromEntries(entries.map(([name, field]) => [name, convert(field, name)]))
}

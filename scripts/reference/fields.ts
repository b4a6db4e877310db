import type { JsonSchema } from '../../src/service/openapi/schemas.js'

/** A field of a body or a query. */
export interface Field {
  /** Path in the body, such as `minute.used`, or `[].status` in an array. */
  readonly path: string
  /** Type with the default value, such as `integer, default 1` or `"placed" or "approved"`. */
  readonly type: string
  readonly isRequired: boolean
  readonly meaning: string
}

/**
 * Lists the fields of a body, including the fields of nested objects. A field that occurs in several
 * alternatives is listed once.
 */
export function listFields(schema: JsonSchema): Field[] {
  const merged = new Map<string, Field>()
  for (const field of findFields(schema)) {
    const known = merged.get(field.path)
    merged.set(field.path, known ? merge(known, field) : field)
  }
  return [...merged.values()]
}

function findFields(schema: JsonSchema): Field[] {
  if (schema.type === 'array') return prefix('[].', findFields(toSchema(schema.items)))
  const required = schema.required ?? []
  const own = Object.entries(schema.properties ?? {}).flatMap(([path, property]) => {
    const field = toSchema(property)
    const { description: meaning = '' } = field
    const found = { path, type: toType(field), isRequired: required.includes(path), meaning }
    // Another page describes the entries of a nested array.
    return [found, ...(field.type === 'array' ? [] : prefix(`${path}.`, findFields(field)))]
  })
  // An alternative that is an array of the same entries has the same fields.
  const forms = toForms(schema).filter((form) => toSchema(form).type !== 'array')
  return [...own, ...forms.flatMap((form) => findFields(toSchema(form)))]
}

function prefix(text: string, fields: readonly Field[]): Field[] {
  return fields.map((field) => ({ ...field, path: `${text}${field.path}` }))
}

function merge(field: Field, other: Field): Field {
  return {
    path: field.path,
    type: join([field.type, other.type], ' or '),
    isRequired: field.isRequired && other.isRequired,
    meaning: join([field.meaning, other.meaning], ' '),
  }
}

function toType(schema: JsonSchema): string {
  const fallback = 'default' in schema ? `, default ${JSON.stringify(schema.default)}` : ''
  return `${toPlainType(schema)}${schema.type === 'object' ? '' : fallback}`
}

function toPlainType(schema: JsonSchema): string {
  const { const: only, enum: values, type, format } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  if (type === 'array') return 'array'
  if (type) return format ?? [type].flat().join(' or ')
  return join(
    toForms(schema).map((form) => toPlainType(toSchema(form))),
    ' or ',
  )
}

function toForms({ anyOf = [], oneOf = [] }: JsonSchema) {
  return [...anyOf, ...oneOf]
}

/** A schema can also be `true` or `false`, which have no fields. */
function toSchema(schema: JsonSchema['items']): JsonSchema {
  return typeof schema === 'object' && !Array.isArray(schema) ? schema : {}
}

function join(texts: readonly string[], separator: string): string {
  return [...new Set(texts)].filter((text) => text !== '').join(separator)
}

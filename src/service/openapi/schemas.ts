import * as z from 'zod/mini'

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export type Direction = 'request' | 'response'

/** Derives JSON Schemas by the names of the schemas, which refer to each other by name. */
export function deriveSchemas(
  names: ReadonlyMap<z.ZodMiniType, string>,
  direction: Direction,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...toSettings(direction), uri: toReference })
  const entries = Object.entries(schemas).map(([name, schema]) => [name, toPlain(schema)])
  return Object.fromEntries(entries)
}

/** Derives the JSON Schema of one value, without references. */
export function deriveSchema(schema: z.ZodMiniType, direction: Direction): JsonSchema {
  return toPlain(z.toJSONSchema(schema, toSettings(direction)))
}

function toSettings(direction: Direction) {
  return {
    io: direction === 'request' ? 'input' : 'output',
    // A schema that only code can check, such as `z.custom`, allows any value.
    unrepresentable: 'any',
    override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => simplify(jsonSchema, direction),
  } as const
}

/** Removes keywords that zod adds and the contract does not state. */
function simplify(schema: JsonSchema, direction: Direction): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.format === 'date-time') delete schema.pattern
  if (direction === 'request') return
  // Generators handle `true` better than an empty schema.
  if (isEmptySchema(schema.additionalProperties)) schema.additionalProperties = true
  // Clients must accept fields that a later version adds. Defaults concern scenarios only.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  delete schema.default
}

function isEmptySchema(schema: JsonSchema | boolean | undefined): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0
}

/** Returns a schema without the identifiers that zod adds. */
function toPlain(schema: JsonSchema): JsonSchema {
  const { $schema: _, $id: __, ...plain } = schema
  return plain
}

/** Returns the reference to a named schema. */
export function toReference(name: string): string {
  return `#/components/schemas/${name}`
}

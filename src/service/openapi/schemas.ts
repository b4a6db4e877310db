import * as z from 'zod/mini'

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

type Direction = 'request' | 'response'
type Schemas = Readonly<Record<string, z.ZodMiniType>>

/**
 * Derives JSON Schemas from zod schemas.
 *
 * @param components Named schemas; every other schema refers to them by name.
 * @param bodies Schemas of whole bodies, by operationId.
 */
export function deriveSchemas(
  components: Schemas,
  bodies: Schemas,
  direction: Direction,
): { components: Record<string, JsonSchema>; bodies: Record<string, JsonSchema> } {
  const ids = new Map(Object.entries(components).map(([name, schema]) => [schema, name]))
  for (const [operation, schema] of Object.entries(bodies)) {
    if (!ids.has(schema)) ids.set(schema, toBodyId(operation))
  }
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of ids) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...toSettings(direction), uri: toReference })
  return {
    components: mapEntries(components, (_, name) => toPlain(schemas[name])),
    bodies: mapEntries(bodies, (schema) => {
      const id = ids.get(schema) ?? ''
      return id in components ? { $ref: toReference(id) } : toPlain(schemas[id])
    }),
  }
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
function toPlain(schema: JsonSchema | undefined): JsonSchema {
  const { $schema: _, $id: __, ...plain } = schema ?? {}
  return plain
}

/** Returns the reference to a named schema. */
export function toReference(name: string): string {
  return `#/components/schemas/${name}`
}

/** Returns an id that differs from the name of every component. */
function toBodyId(operation: string): string {
  return `body of ${operation}`
}

function mapEntries<From, To>(
  table: Readonly<Record<string, From>>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, convert(value, key)]))
}

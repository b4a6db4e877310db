import * as z from 'zod/mini'

/** A JSON Schema: of draft 2020-12, the dialect of OpenAPI 3.1, or of OpenAPI 3.0. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export type Direction = 'request' | 'response'

/** Version of OpenAPI. */
export type OpenApiVersion = '3.0' | '3.1'

/** Derives the JSON Schemas of named schemas, which refer to each other by name. */
export function deriveSchemas(
  named: Readonly<Record<string, z.ZodMiniType>>,
  direction: Direction,
  version?: OpenApiVersion,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const uri = (name: string) => `#/components/schemas/${name}`
  const { schemas } = z.toJSONSchema(registry, { ...toSettings(direction, version), uri })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toPlain(schema)]),
  )
}

/** Derives the JSON Schema of one value, without references. */
export function deriveSchema(
  schema: z.ZodMiniType,
  direction: Direction,
  version?: OpenApiVersion,
): JsonSchema {
  return toPlain(z.toJSONSchema(schema, toSettings(direction, version)))
}

function toSettings(direction: Direction, version?: OpenApiVersion) {
  return {
    target: version === '3.0' ? 'openapi-3.0' : 'draft-2020-12',
    io: direction === 'request' ? 'input' : 'output',
    // A schema that only code can check, such as `z.custom`, allows any value.
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }: Overridden) => {
      if (version === '3.0') replaceExamples(jsonSchema)
      simplify(jsonSchema, z.globalRegistry.get(zodSchema), direction)
    },
  } as const
}

interface Overridden {
  jsonSchema: JsonSchema
  zodSchema: z.core.$ZodType
}

/**
 * Removes keywords that zod adds and the contract does not state.
 *
 * @param annotated The keywords that the contract states.
 */
function simplify(
  schema: JsonSchema,
  annotated: z.core.GlobalMeta | undefined,
  direction: Direction,
): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER && !annotated?.maximum) delete schema.maximum
  if (schema.format === 'date-time') delete schema.pattern
  if (direction === 'request') return
  // Generators handle `true` better than an empty schema.
  if (isEmptySchema(schema.additionalProperties)) schema.additionalProperties = true
  // Clients must accept fields that a later version adds. Defaults concern scenarios only.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  delete schema.default
}

/** OpenAPI 3.0 has one example. */
function replaceExamples(schema: JsonSchema): void {
  const { examples } = schema
  if (!Array.isArray(examples)) return
  schema.example = examples[0]
  delete schema.examples
}

function isEmptySchema(schema: JsonSchema | boolean | undefined): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0
}

/** Returns a schema without the identifiers that zod adds. */
function toPlain(schema: JsonSchema): JsonSchema {
  const { $schema: _, $id: __, ...plain } = schema
  return plain
}

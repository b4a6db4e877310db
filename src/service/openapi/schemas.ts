import * as z from 'zod/mini'

/** A JSON Schema: of draft 2020-12, the dialect of OpenAPI 3.1, or of OpenAPI 3.0. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export type Direction = 'request' | 'response'

/** Version of OpenAPI. */
export type OpenApiVersion = '3.0' | '3.1'

/** Derives the JSON Schemas of named schemas, which refer to each other by name. */
export function deriveSchemas<Name extends string>(
  named: Readonly<Record<Name, z.ZodMiniType>>,
  direction: Direction,
  version: OpenApiVersion = '3.1',
): Record<Name, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries<z.ZodMiniType>(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    target: version === '3.0' ? 'openapi-3.0' : 'draft-2020-12',
    io: direction === 'request' ? 'input' : 'output',
    uri: (name) => `#/components/schemas/${name}`,
    // A schema that only code can check, such as `z.custom`, allows any value.
    unrepresentable: 'any',
    override({ jsonSchema, zodSchema }) {
      if (version === '3.0') replaceExamples(jsonSchema)
      simplify(jsonSchema, direction, z.globalRegistry.get(zodSchema))
    },
  })
  const plain = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => {
    return [name, schema]
  })
  return Object.fromEntries(plain) as Record<Name, JsonSchema> // one for each
}

/** OpenAPI 3.0 supports only one example. */
function replaceExamples(schema: JsonSchema): void {
  const { examples } = schema
  if (!Array.isArray(examples)) return
  schema.example = examples[0]
  delete schema.examples
}

/**
 * Removes keywords that zod adds and the contract does not state.
 *
 * @param stated Keywords that the contract states.
 */
function simplify(
  schema: JsonSchema,
  direction: Direction,
  stated: Readonly<Record<string, unknown>> = {},
): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER && !stated.maximum) delete schema.maximum
  if (schema.format === 'date-time') delete schema.pattern
  if (direction === 'request') return
  const { additionalProperties: additional } = schema
  // Clients must accept fields that a later version adds. Defaults concern scenarios only.
  if (additional === false) delete schema.additionalProperties
  delete schema.default
  // Generators handle `true` better than an empty schema.
  const isEmpty = typeof additional === 'object' && Object.keys(additional).length === 0
  if (isEmpty) schema.additionalProperties = true
}

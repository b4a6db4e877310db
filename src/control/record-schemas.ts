import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'

/** An int64 in a control response: exact at any size. */
export const int64StateSchema = annotate(
  z.union([z.int(), z.string()]),
  'An int64: an integer, or beyond 2^53-1 its decimal digits as a string.',
)

/** Returns the documented schema of a partial record: the same fields, all optional, no defaults. */
export function toPartialSchema({
  shape,
}: {
  readonly shape: Readonly<Record<string, z.ZodMiniType>>
}): z.ZodMiniType {
  const fields = Object.entries(shape).map(([name, schema]) => [name, toOptional(schema)])
  return z.looseObject(Object.fromEntries(fields))
}

function toOptional(schema: z.ZodMiniType): z.ZodMiniType {
  const { description } = z.globalRegistry.get(schema) ?? {}
  const optional = z.optional(schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema)
  return description === undefined ? optional : annotate(optional, description)
}

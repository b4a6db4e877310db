import * as z from 'zod/mini'

/** A description of a value, or a description with further keywords of its JSON Schema. */
type Annotation = string | Readonly<Record<string, unknown>>

/**
 * Returns a copy of a schema with a description, for documents and help texts. `z.describe` of zod adds
 * a check, which would run in each validation, and `z.extend` cannot replace the fields of a schema
 * with checks.
 */
export function annotate<S extends z.core.$ZodType>(schema: S, annotation: Annotation): S {
  const keywords = typeof annotation === 'string' ? { description: annotation } : annotation
  const annotated = z.clone(schema)
  z.globalRegistry.add(annotated, keywords)
  return annotated
}

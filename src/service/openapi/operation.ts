import type * as z from 'zod/mini'
import type { MediaType, Operation, Parameter, Server } from './document.js'
import { toResponses } from './responses.js'
import { deriveSchema, type JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource } from './source.js'

/** The JSON Schemas of an operation's bodies, if it has any. */
export interface BodySchemas {
  readonly request: JsonSchema | undefined
  readonly response: JsonSchema | undefined
}

/**
 * Builds one operation of a document.
 *
 * @param servers Its own servers, if they differ from those of the document.
 * @throws {RangeError} If the source has no description of a path parameter.
 */
export function toOperation(
  id: string,
  source: OpenApiSource,
  schemas: BodySchemas,
  servers?: readonly Server[],
): Operation {
  const operation = source.operations[id]
  if (!operation) throw new RangeError(`the operations must have ${id}, found none`)
  const parameters = [
    ...toPathParameters(operation.path, source),
    ...toQueryParameters(operation.query),
  ]
  return {
    operationId: id,
    summary: operation.summary,
    description: describeOperation(operation),
    tags: [operation.tag],
    ...(operation.deprecated && { deprecated: operation.deprecated }),
    ...(operation.stability && { 'x-stability-level': operation.stability }),
    ...(operation.assumptions.length > 0 && { 'x-assumption': operation.assumptions }),
    ...(servers && { servers }),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.request && {
      requestBody: {
        required: operation.request?.isOptional !== true,
        content: { 'application/json': toMedia(schemas.request, operation.request?.example) },
      },
    }),
    responses: toResponses(operation, schemas.response, source),
  }
}

/** Returns the names in the braces of a path. */
function parameterNames(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

function toPathParameters(path: string, source: OpenApiSource): Parameter[] {
  return parameterNames(path).map((name) => {
    const parameter = source.parameters[name]
    if (!parameter) throw new RangeError(`the parameters must have ${name} of ${path}, found none`)
    const { schema, description, example } = parameter
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: deriveSchema(schema, 'request'),
      example,
    }
  })
}

/** Returns one parameter for each field of the query's schema. */
function toQueryParameters(query: z.ZodMiniType | undefined): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = deriveSchema(query, 'request')
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = typeof property === 'object' ? property : {}
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

/** Returns the description with stability and deprecation: many viewers hide `x-` fields. */
function describeOperation({ description, stability, deprecated }: DescribedOperation): string {
  return [
    description,
    stability && `${stabilityMeanings[stability]} (spec §9).`,
    deprecated && 'Deprecated, with a sunset date: every response carries both dates (spec §9).',
  ]
    .filter(Boolean)
    .join('\n\n')
}

const stabilityMeanings = {
  experimental: 'Experimental: the request shape may change before the operation becomes stable',
  beta: 'Beta: the operation is not stable yet',
} as const

function toMedia(schema: JsonSchema, example: unknown): MediaType {
  return example === undefined ? { schema } : { schema, example }
}

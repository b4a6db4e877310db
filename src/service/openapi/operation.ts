import type * as z from 'zod/mini'
import { int64NumberSchema } from '../response-schemas.js'
import type { Operation, Parameter, Server } from './document.js'
import { toMedia, toResponses } from './responses.js'
import { type Direction, deriveSchema, type JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource } from './source.js'

/**
 * Builds one operation of a document.
 *
 * @param servers Its own servers, if they differ from those of the document.
 * @throws {RangeError} If the source has no description of a path parameter.
 */
export function toOperation(
  id: string,
  operation: DescribedOperation,
  source: OpenApiSource,
  schemas: Readonly<Record<Direction, JsonSchema | undefined>>,
  servers?: readonly Server[],
): Operation {
  const parameters = [...toPathParameters(operation, source), ...toQueryParameters(operation.query)]
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

function toPathParameters(
  { path, pathParameter }: DescribedOperation,
  source: OpenApiSource,
): Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const parameter = pathParameter ?? source.parameters[name]
    if (!parameter) throw new RangeError(`the parameters must have ${name} of ${path}, found none`)
    const { description, example } = parameter
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: deriveSchema(int64NumberSchema, 'request'),
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

import * as z from 'zod/mini'
import { type AddressId, addresses } from '../addresses.js'
import { errorTexts } from '../error-texts.js'
import { allErrorCodes, errorCodes } from '../errors.js'
import type { Method } from '../operations/operation.js'
import { toHeaderComponents, toResponses } from './responses.js'
import { type Direction, deriveSchemas, type JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource } from './source.js'

/** The version of the interface description (spec §9). */
export const interfaceVersion = '1.0.0'

const contact = { name: 'petstore-sandbox contributors' }
const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }
const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API key, as `Authorization: Bearer <API_KEY>` (spec §5).',
}

/** The part of an OpenAPI document that this project uses. */
export type OpenApiDocument = ReturnType<typeof buildOpenApi>

/** The operations of a path by lower-case method, and its own servers if they differ. */
type PathItem = Readonly<Partial<Record<Lowercase<Method>, Operation>>> & {
  readonly servers?: readonly Server[]
}

/** An operation in a document. */
export type Operation = ReturnType<typeof toOperation>

/** A parameter of an operation in a document. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

/** A base URL in a document. */
export type Server = ReturnType<typeof toServers>[number]

/** The JSON Schemas of bodies by operationId. */
type Bodies = Readonly<Record<string, JsonSchema | undefined>>

/**
 * Builds an OpenAPI document.
 *
 * @throws {RangeError} If an operation does not describe the parameter of its path.
 */
export function buildOpenApi(source: OpenApiSource) {
  const { title, description, externalDocs, tags, token, assumptions, preferences } = source
  const requests = deriveBodies(source, 'request')
  const responses = deriveBodies(source, 'response', requests.named)
  const paths = toPaths(source, requests.bodies, responses.bodies)
  return {
    openapi: source.openapi === '3.0' ? '3.0.4' : '3.1.1',
    info: { title, version: interfaceVersion, description, contact, license },
    ...(externalDocs && { externalDocs }),
    servers: toServers(mainAddresses(source), source),
    security: [{ bearer: [] }, ...(token ? [{ bearer: [], token: [] }] : [])],
    tags,
    paths,
    components: {
      securitySchemes: { bearer, ...(token && { token }) },
      schemas: { ...requests.components, ...responses.components },
      headers: toHeaderComponents(paths),
    },
    ...(assumptions && { 'x-assumptions': toAssumptions(source) }),
    ...(preferences && { 'x-preferences': preferences }),
    'x-error-codes': Object.fromEntries(
      allErrorCodes.map((code) => {
        return [code, { status: errorCodes[code].status, meaning: errorTexts[code].meaning }]
      }),
    ),
  }
}

/**
 * Derives the JSON Schemas of the request or response bodies, and of the named schemas that they
 * refer to.
 *
 * @param shared Named schemas that have been derived before.
 */
function deriveBodies(
  { operations, components, openapi }: OpenApiSource,
  direction: Direction,
  shared: Readonly<Record<string, z.ZodMiniType>> = {},
) {
  const contracts = Object.entries(operations).flatMap(([id, { request, response }]) => {
    const body = direction === 'request' ? request : response.body
    return body ? [{ id, name: body.name, schema: body.documentedSchema ?? body.schema }] : []
  })
  const own = contracts.flatMap(({ name, schema }) => (name ? [[name, schema] as const] : []))
  const others = Object.entries(components[direction] ?? {})
  const named = Object.fromEntries(
    direction === 'request' ? [...others, ...own] : [...own, ...others],
  )
  const bodies = z.object(Object.fromEntries(contracts.map(({ id, schema }) => [id, schema])))
  const all: Record<string, z.ZodMiniType> = { ...named, ...shared, bodies }
  const { bodies: derived, ...schemas } = deriveSchemas(all, direction, openapi)
  for (const name of Object.keys(shared)) delete schemas[name]
  return { named, components: schemas, bodies: derived?.properties as Bodies } // no schema is a boolean
}

function toPaths(
  source: OpenApiSource,
  requests: Bodies,
  responses: Bodies,
): Readonly<Record<string, PathItem>> {
  const main = mainAddresses(source).join()
  const paths: Record<string, PathItem> = {}
  for (const [id, operation] of Object.entries(source.operations)) {
    const { path, method, addresses: own } = operation
    const schemas = { request: requests[id], response: responses[id] }
    const servers = own.join() === main ? {} : { servers: toServers(own, source) }
    paths[path] = {
      ...servers,
      ...paths[path],
      [method.toLowerCase()]: toOperation(id, operation, source, schemas, servers),
    }
  }
  return paths
}

/** @param servers The servers of the operation, if they differ from the servers of the document. */
function toOperation(
  id: string,
  operation: DescribedOperation,
  source: OpenApiSource,
  schemas: Readonly<Record<Direction, JsonSchema | undefined>>,
  servers: { servers?: readonly Server[] },
) {
  const { summary, tag, deprecated, stability, assumptions, request } = operation
  const parameters = [...toPathParameters(operation), ...toQueryParameters(operation, source)]
  return {
    operationId: id,
    summary,
    description: describeOperation(operation),
    tags: [tag],
    ...(deprecated && { deprecated }),
    ...(stability && { 'x-stability-level': stability }),
    ...(assumptions && { 'x-assumption': assumptions }),
    ...servers,
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.request && {
      requestBody: {
        required: request?.isOptional !== true,
        content: { 'application/json': { schema: schemas.request, example: request?.example } },
      },
    }),
    responses: toResponses(operation, schemas.response, source),
  }
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

function toPathParameters({ path, pathParameter }: DescribedOperation): Parameter[] {
  const [, name] = /\{(\w+)\}/.exec(path) ?? []
  if (name === undefined) return []
  if (!pathParameter) throw new RangeError(`${path} must have a pathParameter, found none`)
  const { description, example } = pathParameter
  const schema = { type: 'integer', format: 'int64' } as const
  return [{ name, in: 'path', required: true, description, schema, example }]
}

/** Returns one parameter for each field of the query's schema. */
function toQueryParameters({ query }: DescribedOperation, { openapi }: OpenApiSource): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = deriveSchemas({ query }, 'request', openapi).query
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = typeof property === 'object' ? property : {}
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

/**
 * Returns the addresses of the first operation. Operations at other addresses have their own
 * servers, and so have their paths: Postman ignores the servers of a path, and orval the servers of an
 * operation.
 */
function mainAddresses({ operations }: OpenApiSource): readonly AddressId[] {
  return Object.values(operations)[0]?.addresses ?? []
}

function toServers(ids: readonly AddressId[], { pathPrefix = '', root = '' }: OpenApiSource) {
  // Generators derive identifiers from the descriptions.
  return ids.map((id) => {
    const { title, httpPath } = addresses[id]
    const path = httpPath.slice(0, httpPath.length - pathPrefix.length)
    return { url: `${root}${path}` || '/', description: title }
  })
}

/** Returns the assumptions with the operations that each concerns. */
function toAssumptions({ assumptions = {}, operations }: OpenApiSource) {
  return Object.fromEntries(
    Object.entries(assumptions).map(([id, row]) => {
      const concerned = Object.keys(operations).filter((name) =>
        operations[name]?.assumptions?.includes(id),
      )
      return [id, { ...row, ...(concerned.length > 0 && { operations: concerned }) }]
    }),
  )
}

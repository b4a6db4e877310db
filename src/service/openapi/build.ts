import type * as z from 'zod/mini'
import { type AddressId, addresses } from '../addresses.js'
import { errorTexts } from '../error-texts.js'
import { allErrorCodes, errorCodes } from '../errors.js'
import { int64NumberSchema } from '../response-schemas.js'
import type {
  DescribedOperation,
  DocumentedAssumption,
  Header,
  OpenApiDocument,
  OpenApiOptions,
  OpenApiSource,
  Operation,
  Parameter,
  PathItem,
  Server,
} from './document.js'
import { headerNames, optionalHeader, toHeader, toMedia, toResponses } from './responses.js'
import {
  type Direction,
  deriveSchema,
  deriveSchemas,
  type JsonSchema,
  toReference,
} from './schemas.js'

const contact = { name: 'petstore-sandbox contributors' }
const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }

/** The input of a document, with its options. */
type Source = OpenApiSource & OpenApiOptions

/** Schemas by operationId. */
type Bodies = Readonly<Record<string, JsonSchema | undefined>>

/**
 * Builds an OpenAPI document.
 *
 * @throws {RangeError} If a path has a parameter that the source does not describe.
 */
export function buildOpenApi(source: Source): OpenApiDocument {
  const { title, version, description, externalDocs, tags, root = '' } = source
  const requests = deriveBodies(source, 'request')
  const responses = deriveBodies(source, 'response', requests.names)
  const paths = toPaths(source, requests.bodies, responses.bodies)
  const schemas = { ...requests.components, ...responses.components }
  return {
    openapi: source.openapi === '3.0' ? '3.0.4' : '3.1.1',
    info: { title, version, description, contact, license },
    ...(externalDocs && {
      externalDocs: {
        description: externalDocs.description,
        url: `${root}${externalDocs.path}`,
      },
    }),
    servers: toServers(mainAddresses(source), source),
    security: [{ bearer: [] }, ...(source.token ? [{ bearer: [], token: [] }] : [])],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: toSecuritySchemes(source),
      schemas: mergeDetails(schemas, source.details),
      headers: toHeaderComponents(paths),
    },
    ...(Object.keys(source.assumptions).length > 0 && { 'x-assumptions': toAssumptions(source) }),
    ...(source.preferences && { 'x-preferences': source.preferences }),
    'x-error-codes': toErrorCatalogue(),
  }
}

function toSecuritySchemes({ token }: OpenApiSource): Record<string, object> {
  const bearer = {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, as `Authorization: Bearer <API_KEY>` (spec §5).',
  }
  if (!token) return { bearer }
  const { header: name, description } = token
  return { bearer, token: { type: 'apiKey', in: 'header', name, description } }
}

/**
 * Derives the JSON Schemas of the request or response bodies by operationId, and those of the named
 * schemas that they refer to.
 *
 * @param shared Names of schemas that have been derived before.
 */
function deriveBodies(
  { operations, components, openapi }: Source,
  direction: Direction,
  shared: ReadonlyMap<z.ZodMiniType, string> = new Map(),
) {
  const bodies = Object.entries(operations).flatMap(([id, { request, response }]) => {
    const body = direction === 'request' ? request : response.body
    return body ? [{ id, name: body.name, schema: body.documentedSchema ?? body.schema }] : []
  })
  const named = bodies.flatMap(({ name, schema }) => (name ? [[schema, name] as const] : []))
  const others = Object.entries(components[direction]).map(
    ([name, schema]) => [schema, name] as const,
  )
  const names = new Map(direction === 'request' ? [...others, ...named] : [...named, ...others])
  const unnamed = bodies.filter(({ schema }) => !names.has(schema) && !shared.has(schema))
  const ids = new Map([
    ...names,
    ...unnamed.map(({ id, schema }) => [schema, `body of ${id}`] as const),
  ])
  const derived = deriveSchemas(ids, direction, openapi)
  const toBody = (schema: z.ZodMiniType) => {
    const name = shared.get(schema) ?? names.get(schema)
    return name === undefined ? derived[ids.get(schema) ?? ''] : { $ref: toReference(name) }
  }
  return {
    names,
    components: Object.fromEntries(
      Array.from(names.values(), (name) => [name, derived[name] ?? {}]),
    ),
    bodies: Object.fromEntries(bodies.map(({ id, schema }) => [id, toBody(schema)])),
  }
}

function toPaths(source: Source, requests: Bodies, responses: Bodies): Record<string, PathItem> {
  const main = mainAddresses(source).join()
  const paths: Record<string, PathItem> = {}
  for (const [id, operation] of Object.entries(source.operations)) {
    const { path, method, addresses: own } = operation
    const schemas = { request: requests[id], response: responses[id] }
    const servers = own.join() === main ? undefined : toServers(own, source)
    paths[path] = {
      ...(servers && { servers }),
      ...paths[path],
      [method.toLowerCase()]: toOperation(id, operation, source, schemas, servers),
    }
  }
  return paths
}

/**
 * Builds one operation of a document.
 *
 * @param servers Its own servers, if they differ from those of the document.
 * @throws {RangeError} If the source has no description of a path parameter.
 */
function toOperation(
  id: string,
  operation: DescribedOperation,
  source: Source,
  schemas: Readonly<Record<Direction, JsonSchema | undefined>>,
  servers?: readonly Server[],
): Operation {
  const parameters = [
    ...toPathParameters(operation, source),
    ...toQueryParameters(operation, source),
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

function toPathParameters(
  { path, pathParameter }: DescribedOperation,
  source: Source,
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
      schema: deriveSchema(int64NumberSchema, 'request', source.openapi),
      example,
    }
  })
}

/** Returns one parameter for each field of the query's schema. */
function toQueryParameters({ query }: DescribedOperation, { openapi }: Source): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = deriveSchema(query, 'request', openapi)
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

/**
 * Returns the addresses of the first operation. Operations at other addresses have their own
 * servers, and so have their paths: Postman ignores those of a path, and orval those of an operation.
 */
function mainAddresses(source: OpenApiSource): readonly AddressId[] {
  return Object.values(source.operations)[0]?.addresses ?? []
}

function toServers(ids: readonly AddressId[], { pathPrefix = '', root = '' }: Source): Server[] {
  // Generators make identifiers of the descriptions.
  return ids.map((id) => {
    const { title, httpPath } = addresses[id]
    const path = httpPath.slice(0, httpPath.length - pathPrefix.length)
    return { url: `${root}${path}` || '/', description: title }
  })
}

/** Adds details to the properties of named schemas. */
function mergeDetails(
  schemas: Readonly<Record<string, JsonSchema>>,
  details: OpenApiSource['details'] = {},
): Record<string, JsonSchema> {
  const merged: Record<string, JsonSchema> = { ...schemas }
  for (const [name, properties] of Object.entries(details)) {
    const all = { ...schemas[name]?.properties }
    for (const [property, detail] of Object.entries(properties)) {
      all[property] = { ...Object(all[property]), ...detail }
    }
    merged[name] = { ...schemas[name], properties: all }
  }
  return merged
}

/** Returns the headers that responses refer to. All are required, except the optional ones. */
function toHeaderComponents(paths: Readonly<Record<string, PathItem>>): Record<string, Header> {
  const text = JSON.stringify(paths)
  const used = headerNames.filter((name) => text.includes(`"#/components/headers/${name}"`))
  return Object.fromEntries(
    used.map((name) => [
      name,
      name === optionalHeader ? toHeader(name) : { ...toHeader(name), required: true },
    ]),
  )
}

function toAssumptions(source: OpenApiSource): Record<string, DocumentedAssumption> {
  const operations = Object.entries(source.operations)
  return Object.fromEntries(
    Object.entries(source.assumptions).map(([id, row]) => {
      const named = operations.flatMap(([operation, { assumptions }]) =>
        assumptions.includes(id) ? [operation] : [],
      )
      return [id, named.length > 0 ? { ...row, operations: named } : row]
    }),
  )
}

function toErrorCatalogue(): OpenApiDocument['x-error-codes'] {
  return Object.fromEntries(
    allErrorCodes.map((code) => {
      const { status } = errorCodes[code]
      const { meaning } = errorTexts[code]
      return [code, { status, meaning }]
    }),
  )
}

import type * as z from 'zod/mini'
import { type AddressId, addresses } from '../addresses.js'
import { errorTexts } from '../error-texts.js'
import { allErrorCodes, errorCodes } from '../errors.js'
import type { BodyContract } from '../operations/operation.js'
import type {
  DocumentedAssumption,
  Header,
  OpenApiDocument,
  OpenApiOptions,
  PathItem,
  Server,
} from './document.js'
import { toOperation } from './operation.js'
import { headerNames, optionalHeader, toHeader } from './responses.js'
import { deriveSchemas, type JsonSchema, toReference } from './schemas.js'
import { type DescribedOperation, type OpenApiSource, toDocumentedSchema } from './source.js'

const contact = { name: 'petstore-sandbox contributors' }
const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }

/** Schemas by operationId. */
type Bodies = Readonly<Record<string, JsonSchema>>

/**
 * Builds an OpenAPI 3.1 document.
 *
 * @throws {RangeError} If a path has a parameter that the source does not describe.
 */
export function buildOpenApi(source: OpenApiSource, options: OpenApiOptions = {}): OpenApiDocument {
  const { title, version, description, tags } = source
  const { requests, responses } = deriveBodies(source)
  const paths = toPaths(source, options, requests.bodies, responses.bodies)
  const schemas = { ...requests.components, ...responses.components }
  return {
    openapi: '3.1.1',
    info: { title, version, description, contact, license },
    ...(source.externalDocs && { externalDocs: toExternalDocs(source.externalDocs, options) }),
    servers: toServers(mainAddresses(source), source, options),
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

/** Derives the JSON Schemas of all bodies, and the components that they refer to. */
function deriveBodies({ operations, components }: OpenApiSource) {
  const requestBodies = collectBodies(operations, ({ request }) => request)
  const responseBodies = collectBodies(operations, ({ response }) => response.body)
  const requestComponents = { ...components.requests, ...requestBodies.named }
  const requestNames = new Map(
    Object.entries(requestComponents).map(([name, schema]) => [schema, name]),
  )

  const requests = deriveSchemas(requestComponents, requestBodies.schemas, 'request')
  const shared: Record<string, JsonSchema> = {}
  const own: Record<string, z.ZodMiniType> = {}
  for (const [id, schema] of Object.entries(responseBodies.schemas)) {
    const name = requestNames.get(schema)
    if (name === undefined) own[id] = schema
    else shared[id] = { $ref: toReference(name) }
  }
  const responseComponents = { ...responseBodies.named, ...components.responses }
  const responses = deriveSchemas(responseComponents, own, 'response')
  return { requests, responses: { ...responses, bodies: { ...responses.bodies, ...shared } } }
}

/**
 * Collects the documented schemas of request or response bodies.
 *
 * @returns `schemas` by operationId, and `named` by the name of the schema.
 */
function collectBodies(
  operations: OpenApiSource['operations'],
  pick: (operation: DescribedOperation) => BodyContract | undefined,
): { schemas: Record<string, z.ZodMiniType>; named: Record<string, z.ZodMiniType> } {
  const schemas: Record<string, z.ZodMiniType> = {}
  const named: Record<string, z.ZodMiniType> = {}
  for (const [id, operation] of Object.entries(operations)) {
    const body = pick(operation)
    if (!body) continue
    const schema = toDocumentedSchema(body)
    schemas[id] = schema
    if (body.name !== undefined) named[body.name] = schema
  }
  return { schemas, named }
}

function toPaths(
  source: OpenApiSource,
  options: OpenApiOptions,
  requests: Bodies,
  responses: Bodies,
): Record<string, PathItem> {
  const main = mainAddresses(source).join()
  const paths: Record<string, PathItem> = {}
  for (const [id, { path, method, addresses: own }] of Object.entries(source.operations)) {
    const schemas = { request: requests[id], response: responses[id] }
    const servers = own.join() === main ? undefined : toServers(own, source, options)
    paths[path] = {
      ...(servers && { servers }),
      ...paths[path],
      [method.toLowerCase()]: toOperation(id, source, schemas, servers),
    }
  }
  return paths
}

/**
 * Returns the addresses of the first operation. Operations at other addresses have their own
 * servers, and so have their paths: Postman ignores those of a path, and orval those of an operation.
 */
function mainAddresses(source: OpenApiSource): readonly AddressId[] {
  return Object.values(source.operations)[0]?.addresses ?? []
}

function toServers(
  ids: readonly AddressId[],
  { pathPrefix = '' }: OpenApiSource,
  { root = '' }: OpenApiOptions,
): Server[] {
  // Generators make identifiers of the descriptions.
  return ids.map((id) => {
    const { title, httpPath } = addresses[id]
    const path = httpPath.slice(0, httpPath.length - pathPrefix.length)
    return { url: `${root}${path}` || '/', description: title }
  })
}

function toExternalDocs(
  { description, path }: NonNullable<OpenApiSource['externalDocs']>,
  { root = '' }: OpenApiOptions,
): NonNullable<OpenApiDocument['externalDocs']> {
  return { description, url: `${root}${path}` }
}

/** Adds details to the properties of named schemas. */
function mergeDetails(
  schemas: Readonly<Record<string, JsonSchema>>,
  details: OpenApiSource['details'] = {},
): Record<string, JsonSchema> {
  const merged = Object.entries(details).map(([name, properties]) => {
    const schema = schemas[name] ?? {}
    const changed = Object.entries(properties).map(([property, detail]) => {
      const before = schema.properties?.[property]
      return [property, { ...(typeof before === 'object' && before), ...detail }] as const
    })
    const all = { ...schema.properties, ...Object.fromEntries(changed) }
    return [name, { ...schema, properties: all }] as const
  })
  return { ...schemas, ...Object.fromEntries(merged) }
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

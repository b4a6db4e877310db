import { type AddressId, addresses } from '../contract/addresses.js'
import { errorCodes } from '../contract/errors.js'
import type {
  Header,
  OpenApiDocument,
  OpenApiOptions,
  PathItem,
  Server,
  ShownAssumption,
} from './document.js'
import { headerDetails } from './headers.js'
import { toOperation } from './operation.js'
import { toHeader } from './responses.js'
import { deriveSchemas, toReference } from './schemas.js'
import type { OpenApiSource } from './source.js'

/**
 * Makes an OpenAPI 3.1 document from tables alone.
 *
 * @throws {RangeError} When the tables do not fit each other.
 */
export function buildOpenApi(source: OpenApiSource, options: OpenApiOptions = {}): OpenApiDocument {
  const { title, version, description, tags, components } = source
  const requests = deriveSchemas(components.requests, source.requestSchemas, 'request')
  const sendable = findSendable(source)
  const further = omit(source.responseSchemas, Object.keys(sendable))
  const responses = deriveSchemas(components.responses, further, 'response')
  const paths = toPaths(source, options, requests.bodies, { ...responses.bodies, ...sendable })
  return {
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: toServers(mainAddresses(source), options),
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key, as `Authorization: Bearer <API_KEY>` (spec §5).',
        },
      },
      schemas: { ...requests.components, ...responses.components },
      headers: toHeaderComponents(paths),
    },
    ...(Object.keys(source.assumptions).length > 0 && { 'x-assumptions': toAssumptions(source) }),
    'x-error-codes': errorCodes,
  }
}

/** The responses that are what a request takes, such as a file that is written down. */
function findSendable({ responseSchemas, components }: OpenApiSource): Bodies {
  const names = new Map(Object.entries(components.requests).map(([name, one]) => [one, name]))
  const found = Object.entries(responseSchemas).flatMap(([operation, schema]) => {
    const name = names.get(schema)
    return name === undefined ? [] : [[operation, { $ref: toReference(name) }] as const]
  })
  return Object.fromEntries(found)
}

function omit<T>(table: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))
}

type Bodies = ReturnType<typeof deriveSchemas>['bodies']

function toPaths(
  source: OpenApiSource,
  options: OpenApiOptions,
  requests: Bodies,
  responses: Bodies,
): Record<string, PathItem> {
  const main = mainAddresses(source).join()
  const paths: Record<string, PathItem> = {}
  for (const [id, { path, method, addresses: own }] of Object.entries(source.operations)) {
    paths[path] = {
      ...(own.join() !== main && { servers: toServers(own, options) }),
      ...paths[path],
      [method.toLowerCase()]: toOperation(id, source, {
        request: requests[id],
        response: responses[id],
      }),
    }
  }
  return paths
}

/** The addresses of the first operation: those of the document. A path elsewhere states its own. */
function mainAddresses(source: OpenApiSource): readonly AddressId[] {
  return Object.values(source.operations)[0]?.addresses ?? []
}

function toServers(ids: readonly AddressId[], { servers = {} }: OpenApiOptions): Server[] {
  return ids.map((id) => {
    const { title, placeholder, httpPath } = addresses[id]
    const description = placeholder ? `${title}: ${placeholder} of the specification` : title
    return { url: servers[id] ?? httpPath, description }
  })
}

/** The headers that the responses refer to, which always carry them. */
function toHeaderComponents(paths: Readonly<Record<string, PathItem>>): Record<string, Header> {
  const text = JSON.stringify(paths)
  const names = Object.keys(headerDetails) as (keyof typeof headerDetails)[] // keys of a const table
  const used = names.filter((name) => text.includes(`"#/components/headers/${name}"`))
  return Object.fromEntries(used.map((name) => [name, { ...toHeader(name), required: true }]))
}

function toAssumptions(source: OpenApiSource): Record<string, ShownAssumption> {
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

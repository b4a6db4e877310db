import {
  type AddressId,
  addresses,
  type Environment,
  environments,
} from '../../service/addresses.js'
import type { OpenApiDocument, Operation, Server } from '../../service/openapi/build.js'
import type { JsonSchema } from '../../service/openapi/schemas.js'

/** An operation of a document, with its method, path and servers. */
export interface PlacedOperation {
  /** In upper case. */
  readonly method: string
  /** Below the base URL, with parameters in braces. */
  readonly path: string
  readonly operation: Operation
  /** The servers of the operation, else of the document. */
  readonly servers: readonly Server[]
}

/** Returns the operations of a document in document order. */
export function listOperations(document: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers: _, ...operations } = item
    return Object.entries<Operation>(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      servers: operation.servers ?? document.servers,
    }))
  })
}

/** Returns the component schema with the name; an empty schema if the document has none. */
export function findSchema({ components }: OpenApiDocument, name: string): JsonSchema {
  return components.schemas[name] ?? {}
}

/** Follows a `$ref` to a component schema. Keeps the keywords beside the reference. */
export function resolveSchema(
  document: OpenApiDocument,
  schema: JsonSchema | boolean | undefined,
): JsonSchema {
  if (typeof schema !== 'object') return {}
  const name = schema.$ref?.split('/').at(-1)
  if (name === undefined) return schema
  const { $ref: _, ...rest } = schema
  return { ...resolveSchema(document, findSchema(document, name)), ...rest }
}

/** The base URL of a server, as the page requests it. */
export interface BaseUrl {
  /** Without a trailing slash. */
  readonly url: string
  /** Relative to the root of the sandbox, such as `/v1`. */
  readonly path: string
  readonly environment: Environment
}

/** Root URLs of the sandbox, without a trailing slash. */
export interface Roots {
  /** URL of the page. */
  readonly page: string
  /** Common prefix of the server URLs in the documents; empty if they are relative. */
  readonly documents: string
}

/**
 * Converts a server URL to one below the URL of the page, so that the page also works behind a
 * reverse proxy that adds a path prefix.
 *
 * @param suffix A path that every operation of the document begins with, such as `/sandbox`.
 */
export function toBaseUrl({ url }: Server, roots: Roots, suffix = ''): BaseUrl {
  const base = url.replace(/\/$/, '')
  const path = base.startsWith(roots.documents) ? base.slice(roots.documents.length) : base
  const id = addressIds.find((addressId) => addresses[addressId].httpPath === path + suffix)
  return {
    url: base.startsWith(roots.documents) ? roots.page + path : base,
    path,
    environment: id ? addresses[id].environment : environments[0],
  }
}

const addressIds = Object.keys(addresses) as AddressId[] // the keys of a const table

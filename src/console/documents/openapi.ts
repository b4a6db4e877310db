import {
  type AddressId,
  addresses,
  type Environment,
  environments,
} from '../../contract/addresses.js'
import type { OpenApiDocument, Operation, Server } from '../../openapi/document.js'
import type { JsonSchema } from '../../openapi/schemas.js'

/** An operation of a document with its place in it. */
export interface PlacedOperation {
  /** In upper case. */
  readonly method: string
  /** Below the base URL, with parameters in braces. */
  readonly path: string
  readonly operation: Operation
  /** The servers of the operation, else those of its path, else those of the document. */
  readonly servers: readonly Server[]
}

/** OpenAPI allows servers of a document, of a path and of an operation. */
interface WithServers {
  readonly servers?: readonly Server[]
}

/** Returns the operations of a document in document order. */
export function listOperations(document: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers: pathServers = document.servers, ...operations } = item
    return Object.entries<Operation & WithServers>(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      servers: operation.servers ?? pathServers,
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

/** Where a server of a document is, as the page reaches it. */
export interface BaseUrl {
  /** Without a slash at the end. */
  readonly url: string
  /** Relative to the root of the sandbox, such as `/v1`. */
  readonly path: string
  readonly environment: Environment
}

/** Where the page and the documents say that the sandbox is, each without a slash at the end. */
export interface Roots {
  /** The URL of the page. */
  readonly page: string
  /** What every server URL of the documents begins with; empty for relative ones. */
  readonly documents: string
}

/**
 * Converts a server URL to one below the address of the page, so that the page also works behind a
 * reverse proxy that adds a path prefix.
 *
 * @param suffix A path that every operation of the document begins with, such as `/sandbox`.
 */
export function toBaseUrl({ url }: Server, roots: Roots, suffix = ''): BaseUrl {
  const base = url.replace(/\/$/, '')
  const path = base.startsWith(roots.documents) ? base.slice(roots.documents.length) : base
  const id = addressIds.find((one) => addresses[one].httpPath === path + suffix)
  return {
    url: base.startsWith(roots.documents) ? roots.page + path : base,
    path,
    environment: id ? addresses[id].environment : environments[0],
  }
}

const addressIds = Object.keys(addresses) as AddressId[] // the keys of a const table

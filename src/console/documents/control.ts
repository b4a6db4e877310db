import { addresses, type Environment } from '../../contract/addresses.js'
import type { OpenApiDocument } from '../../openapi/document.js'
import { type FaultKind, readFaultKinds } from './fault-kinds.js'
import { findSchema, listOperations, resolveSchema, toBaseUrl } from './openapi.js'

/** What the page needs of the control API, read from its OpenAPI document. */
export interface ControlContract {
  /** Method and path of each control operation, by its id. */
  readonly operations: ReadonlyMap<string, ControlRoute>
  /** What a path stands below, in each environment; without a slash at the end. */
  readonly baseUrls: ReadonlyMap<Environment, string>
  readonly faultKinds: readonly FaultKind[]
  readonly petStatuses: readonly string[]
  readonly orderStatuses: readonly string[]
}

export interface ControlRoute {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
}

/**
 * Reads the OpenAPI document of the control API.
 *
 * @param pageRoot The URL of the page, without a slash at the end.
 * @throws {TypeError} If the document has no overview at the control address.
 */
export function readControlContract(document: OpenApiDocument, pageRoot: string): ControlContract {
  const operations = new Map(
    listOperations(document).map(({ method, path, operation }) => [
      operation.operationId,
      { method, path },
    ]),
  )
  const overviewPath = operations.get('getOverview')?.path ?? ''
  const roots = { page: pageRoot, documents: findDocumentRoot(document) }
  const bases = document.servers.map((server) => toBaseUrl(server, roots, overviewPath))
  return {
    operations,
    baseUrls: new Map(bases.map(({ environment, url }) => [environment, url])),
    faultKinds: readFaultKinds(document),
    petStatuses: readStatuses(document, 'NewPet'),
    orderStatuses: readStatuses(document, 'NewOrder'),
  }
}

/**
 * Returns what all server URLs of the documents begin with: the URL of the overview without the
 * path of the control API.
 *
 * @throws {TypeError} If the document has no overview at the control address.
 */
export function findDocumentRoot(document: OpenApiDocument): string {
  const overview = listOperations(document).find(
    ({ operation }) => operation.operationId === 'getOverview',
  )
  const { httpPath } = addresses.control
  const url = `${(overview?.servers[0]?.url ?? '').replace(/\/$/, '')}${overview?.path ?? ''}`
  if (url.endsWith(httpPath)) return url.slice(0, -httpPath.length)
  throw new TypeError(`getOverview of the control API must be at ${httpPath}, found ${url}`)
}

function readStatuses(document: OpenApiDocument, name: string): readonly string[] {
  const status = findSchema(document, name).properties?.status
  return (resolveSchema(document, status).enum ?? []).map(String)
}

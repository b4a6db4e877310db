import { addresses } from '../../service/addresses.js'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import type { ControlPlace } from '../session/client.js'
import { type FaultKind, readFaultKinds } from './fault-kinds.js'
import { explainForeign } from './foreign.js'
import { findSchema, listOperations, resolveSchema, toBaseUrl } from './openapi.js'

/** The parts of the control API's OpenAPI document that the page uses. */
export interface ControlContract extends ControlPlace {
  readonly faultKinds: readonly FaultKind[]
  readonly petStatuses: readonly string[]
  readonly orderStatuses: readonly string[]
}

/**
 * Reads the OpenAPI document of the control API.
 *
 * @param pageRoot URL of the page, without a trailing slash.
 * @throws {TypeError} If the document has no overview at the control address.
 */
export function readControlContract(document: OpenApiDocument, pageRoot: string): ControlContract {
  const roots = { page: pageRoot, documents: findDocumentRoot(document) }
  const { httpPath } = addresses.control
  const bases = document.servers.map((server) => toBaseUrl(server, roots, httpPath))
  const urls = Object.fromEntries(
    bases.map(({ environment, url }) => [environment, url + httpPath]),
  )
  return {
    controlUrls: { production: '', staging: '', ...urls },
    explainForeign,
    faultKinds: readFaultKinds(document),
    petStatuses: readStatuses(document, 'NewPet'),
    orderStatuses: readStatuses(document, 'NewOrder'),
  }
}

/**
 * Returns the common prefix of all server URLs in the documents: the URL of the overview without
 * the path of the control API.
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

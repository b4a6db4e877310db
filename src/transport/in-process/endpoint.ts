import { respond } from '../../engine/respond.js'
import { serviceRouter, splitTarget } from '../../engine/route.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { AddressId } from '../../service/addresses.js'
import { type OperationId, operationIds, operations } from '../../service/operations/operations.js'
import { takeOrder } from '../../world/journal/journal.js'
import { type BaseUrl, type BaseUrls, matchBaseUrl } from './base-urls.js'
import { toApiRequest, toResponse } from './fetch.js'

/** A request that matched an endpoint. */
export interface EndpointMatch {
  /** Path below the base URL. */
  readonly path: string
  /** Query string without the `?`. Empty if there is none. */
  readonly query: string
}

/**
 * One operation at one address, for Fetch requests. An endpoint without an operation is the fallback
 * of its address, and must follow the endpoints with an operation. Responses wait for the sandbox if
 * it is still being created.
 */
export class Endpoint {
  constructor(
    readonly sandbox: Sandbox | Promise<Sandbox>,
    readonly address: AddressId,
    readonly base: BaseUrl,
    readonly operation: OperationId | undefined,
  ) {}

  /** Matches a request. Returns undefined if it is for another endpoint. */
  match(request: Request): EndpointMatch | undefined {
    const target = matchBaseUrl(this.base, request.url)
    if (target === undefined) return undefined
    const { path, query } = splitTarget(target)
    const { operation } = this
    if (operation !== undefined) {
      const route = serviceRouter.route(this.address, request.method, path)
      if (route.operation !== operation) return undefined
    }
    return { path, query }
  }

  /**
   * Responds to a request that matches.
   *
   * @param order Place of its arrival. Default: it arrives now.
   * @throws {Error} If the control API cannot be loaded, or the sandbox cannot be created.
   */
  async respond(request: Request, match: EndpointMatch, order = takeOrder()): Promise<Response> {
    const { address } = this
    const apiRequest = toApiRequest(request, address, { ...match, order })
    const sandbox = await this.sandbox
    return toResponse(await respond(apiRequest, sandbox), request)
  }
}

/**
 * Creates the endpoints of a sandbox: one for each operation at each of its addresses, followed by a
 * fallback for each address except `*`. Longer base URLs come first, because one address may be below
 * another.
 */
export function createEndpoints(sandbox: Sandbox | Promise<Sandbox>, bases: BaseUrls): Endpoint[] {
  const ids = Object.keys(bases) as AddressId[] // BaseUrls has every address
  const longestFirst = ids.toSorted((a, b) => bases[b].text.length - bases[a].text.length)
  const bounded = longestFirst.filter((address) => !matchesEverything(bases[address]))
  const create = (address: AddressId, operation?: OperationId) =>
    new Endpoint(sandbox, address, bases[address], operation)
  return [
    ...longestFirst.flatMap((address) => operationsAt(address).map((id) => create(address, id))),
    ...bounded.map((address) => create(address)),
  ]
}

function operationsAt(address: AddressId): OperationId[] {
  return operationIds.filter((id) =>
    (operations[id].addresses as readonly AddressId[]).includes(address),
  )
}

/** Whether a base URL is `*`, which also matches requests to other services. */
function matchesEverything(base: BaseUrl): boolean {
  return base.origin === undefined && base.prefix === ''
}

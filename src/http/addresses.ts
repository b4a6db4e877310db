import { type AddressId, addresses } from '../contract/addresses.js'
import type { OperationHandler } from '../in-process/operation-handler.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import type { OperationId } from '../operations/operations.js'
import { type ApiRequest, type ApiResponse, bodyLimitOf } from '../pipeline/message.js'

/** An address that the HTTP sandbox serves: where it stands, and who answers below it. */
export interface ServedAddress {
  readonly id: AddressId
  /** Without a slash at its end. */
  readonly httpPath: string
  /** Bytes of the largest body that is taken here. */
  readonly bodyLimit: number
  /** Never throws or rejects. */
  respond(call: ApiRequest): ApiResponse | Promise<ApiResponse>
}

/** Where a request leads: an address, and path and query below it. */
export interface Destination {
  readonly address: ServedAddress
  readonly target: string
}

/** The addresses of a sandbox, each answered by the sandbox's own handlers. */
export function serveHandlers(sandbox: InProcessSandbox): ServedAddress[] {
  const served = new Set(sandbox.handlers.map(({ address }) => address))
  return Array.from(served, (id) => ({
    id,
    httpPath: addresses[id].httpPath,
    bodyLimit: bodyLimitOf(id),
    respond: createAnswer(sandbox, id),
  }))
}

function createAnswer(sandbox: InProcessSandbox, id: AddressId): ServedAddress['respond'] {
  const { core } = sandbox
  const handlers = new Map<OperationId | undefined, OperationHandler>(
    sandbox.handlers
      .filter(({ address }) => address === id)
      .map((handler) => [handler.operation, handler]),
  )
  return (call) => {
    const route = core.route(id, call.method, call.path)
    // Where an address is everything, `*`, no handler takes what is no operation.
    return (handlers.get(route.operation) ?? core).respond(call, route)
  }
}

/** Finds the address that a request target is below; undefined for everything else. */
export function findDestination(
  served: readonly ServedAddress[],
  target: string,
): Destination | undefined {
  for (const address of served) {
    const { httpPath } = address
    if (!target.startsWith(httpPath)) continue
    const next = target[httpPath.length]
    if (next === '/' || next === '?' || next === '#' || next === undefined) {
      return { address, target: target.slice(httpPath.length) }
    }
  }
  return undefined
}

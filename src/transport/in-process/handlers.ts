import type { HttpHandler } from 'msw'
import type { Sandbox } from '../../engine/sandbox.js'
import type { AddressId } from '../../service/addresses.js'
import { type OperationId, operations } from '../../service/operations/operations.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { BaseUrls } from './base-urls.js'
import { createEndpoints, type Endpoint } from './endpoint.js'

/** The class `HttpHandler` of msw. */
export type HttpHandlerClass = typeof HttpHandler

/** Request handler of msw for one operation at one address, or for the rest of an address. */
export interface OperationHandler extends HttpHandler {
  readonly address: AddressId
  /** Undefined for the fallback of an address. */
  readonly operation: OperationId | undefined
}

/** The type that msw expects as the result of matching. */
interface ParsedMatch {
  readonly matches: boolean
  readonly params: Record<string, string>
}

/** The endpoints of a sandbox and the request handlers of msw for them. */
export interface Interception {
  /** Location of each address. */
  readonly bases: BaseUrls
  readonly endpoints: readonly Endpoint[]
  readonly handlers: OperationHandler[]
}

/** Creates the endpoints and handlers of a sandbox, which may still be in preparation. */
export function createInterception(
  sandbox: Sandbox | Promise<Sandbox>,
  bases: BaseUrls,
  Base: HttpHandlerClass,
): Interception {
  const endpoints = createEndpoints(sandbox, bases)
  return { bases, endpoints, handlers: createHandlers(Base, endpoints) }
}

/** Creates the request handlers of msw for endpoints, in the same order. */
function createHandlers(
  Base: HttpHandlerClass,
  endpoints: readonly Endpoint[],
): OperationHandler[] {
  // Handlers match a request one after the other, so that the first one sees when it arrives.
  const orders = new WeakMap<Request, number>()
  class EndpointHandler extends Base implements OperationHandler {
    readonly address: AddressId
    readonly operation: OperationId | undefined
    readonly #endpoint: Endpoint

    constructor(endpoint: Endpoint) {
      const contract = endpoint.operation && operations[endpoint.operation]
      const path = contract ? toMswPath(contract.path) : '/*'
      super(contract?.method ?? /.+/, `${endpoint.base.text}${path}`, async ({ request }) => {
        const match = endpoint.match(request)
        return match ? endpoint.respond(request, match, orders.get(request)) : Response.error()
      })
      this.address = endpoint.address
      this.operation = endpoint.operation
      this.#endpoint = endpoint
    }

    /** Replaces the matching of msw, which compiles the path pattern for every request. */
    override async parse({ request }: { request: Request }): Promise<{
      match: ParsedMatch
      cookies: Record<string, string>
    }> {
      if (!orders.has(request)) orders.set(request, takeOrder())
      const matches = this.#endpoint.match(request) !== undefined
      return { match: { matches, params: {} }, cookies: {} }
    }

    /** Whether `parse` matched the request. */
    override async predicate(found: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
      return found.parsedResult.match.matches
    }
  }
  return withoutStacks(() => endpoints.map((endpoint) => new EndpointHandler(endpoint)))
}

/**
 * Calls a function in which errors have no stack. msw creates one for each handler, to find the line
 * that declares it, which would be a line of this package. The first stack of a page takes 20 ms,
 * because V8 parses the whole script of the page again for its positions.
 */
function withoutStacks<T>(create: () => T): T {
  const { stackTraceLimit } = Error
  // An assignment would throw where Error is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return create()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}

/** Handlers by the resource of their operation. `rest` has the handlers without an operation. */
export type HandlerGroups = Readonly<
  Record<'store' | 'pets' | 'messages' | 'rest', OperationHandler[]>
>

const groupOf = { Store: 'store', Pets: 'pets', Messages: 'messages' } as const

/** Groups handlers and preserves their order within each group. */
export function groupHandlers(handlers: readonly OperationHandler[]): HandlerGroups {
  const groups: HandlerGroups = { store: [], pets: [], messages: [], rest: [] }
  for (const handler of handlers) {
    const contract = handler.operation && operations[handler.operation]
    const group = contract ? groupOf[contract.resource] : 'rest'
    groups[group].push(handler)
  }
  return groups
}

/** Converts `/inventory/{petId}` to the syntax of msw: `/inventory/:petId`. */
function toMswPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

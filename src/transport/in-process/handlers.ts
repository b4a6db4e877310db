import type { HttpHandler } from 'msw'
import { serviceRouter } from '../../engine/route.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { AddressId } from '../../service/addresses.js'
import { type OperationId, operationIds, operations } from '../../service/operations/operations.js'
import { takeOrder } from '../../world/journal/journal.js'
import {
  type BaseUrls,
  matchBaseUrl,
  matchesEverything,
  mostSpecificFirst,
  type RequestTarget,
} from './base-urls.js'
import { respondToFetch } from './fetch.js'

/** The class `HttpHandler` of msw. */
export type HttpHandlerClass = typeof HttpHandler

/** Request handler of msw for one operation at one address, or for the rest of an address. */
export interface OperationHandler extends HttpHandler {
  readonly address: AddressId
  /** Undefined for the fallback of an address. */
  readonly operation: OperationId | undefined
}

/**
 * Creates the request handlers of a sandbox: one for each operation at each of its addresses, followed
 * by a fallback for each address except `*`. The most specific base URLs come first, because one may be
 * below another.
 */
export function createHandlers(
  sandbox: Sandbox,
  bases: BaseUrls,
  Base: HttpHandlerClass,
): OperationHandler[] {
  const Handler = createHandlerClass(sandbox, bases, Base)
  const ids = mostSpecificFirst(bases)
  const create = () => [
    ...ids.flatMap((address) => operationsAt(address).map((id) => new Handler(address, id))),
    ...ids.filter((id) => !matchesEverything(bases[id])).map((id) => new Handler(id, undefined)),
  ]
  return withoutStacks(create)
}

function operationsAt(address: AddressId): OperationId[] {
  return operationIds.filter((id) =>
    (operations[id].addresses as readonly AddressId[]).includes(address),
  )
}

function createHandlerClass(sandbox: Sandbox, bases: BaseUrls, Base: HttpHandlerClass) {
  // Handlers match a request one after the other. The first handler records the arrival.
  const orders = new WeakMap<Request, number>()
  return class extends Base implements OperationHandler {
    constructor(
      readonly address: AddressId,
      readonly operation: OperationId | undefined,
    ) {
      const contract = operation && operations[operation]
      // The syntax of msw is `/inventory/:petId`.
      const path = contract ? contract.path.replace(/\{(\w+)\}/g, ':$1') : '/*'
      super(contract?.method ?? /.+/, `${bases[address].text}${path}`, async ({ request }) => {
        const target = this.#match(request)
        if (!target) return Response.error()
        return respondToFetch(sandbox, request, address, {
          ...target,
          order: orders.get(request),
        })
      })
    }

    #match({ method, url }: Request): RequestTarget | undefined {
      const { address, operation } = this
      const target = matchBaseUrl(bases[address], url)
      if (!target || operation === undefined) return target
      return serviceRouter.route(address, method, target.path).endpoint?.id === operation
        ? target
        : undefined
    }

    /** Replaces the matching of msw, which compiles the path pattern for every request. */
    override async parse({ request }: { request: Request }): ReturnType<HttpHandler['parse']> {
      if (!orders.has(request)) orders.set(request, takeOrder())
      return { match: { matches: this.#match(request) !== undefined, params: {} }, cookies: {} }
    }

    /** Whether `parse` matched the request. */
    override async predicate(found: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
      return found.parsedResult.match.matches
    }
  }
}

/**
 * Calls a function in which errors have no stack. msw creates a stack for each handler, to find the
 * line that declares it, which is always in this package. The first stack takes 20 ms in a page, and 90
 * ms in a test file of vitest, because V8 computes the positions of the whole script (measured).
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

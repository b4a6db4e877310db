import { HttpHandler } from 'msw'
import type { AddressId } from '../contract/addresses.js'
import { type OperationId, operations } from '../operations/operations.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import type { Route } from '../pipeline/route.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { type BaseUrl, matchBaseUrl } from './base-urls.js'
import { toApiRequest, toResponse } from './fetch.js'

/** A request that matched a handler. */
export interface HandlerMatch {
  /** Path below the base URL. */
  readonly path: string
  /** Query string without the `?`. Empty if there is none. */
  readonly query: string
  readonly route: Route
}

/** The type that msw expects as the result of matching. */
interface ParsedMatch {
  readonly matches: boolean
  readonly params: Record<string, string>
}

/**
 * Request handler of one operation at one address. msw calls it with Fetch requests, and the HTTP
 * server calls `respond` directly. A handler without an operation is the fallback of its address,
 * and must follow the handlers with an operation.
 */
export class OperationHandler extends HttpHandler {
  constructor(
    readonly sandbox: Sandbox,
    readonly address: AddressId,
    readonly base: BaseUrl,
    readonly operation: OperationId | undefined,
  ) {
    const contract = operation && operations[operation]
    const path = contract ? toMswPath(contract.path) : '/*'
    super(contract?.method ?? /.+/, `${base.text}${path}`, ({ request }) =>
      this.#respondToFetch(request),
    )
  }

  /** Responds to a request that was routed to this handler. Never throws or rejects. */
  respond(request: ApiRequest, route: Route): ApiResponse | Promise<ApiResponse> {
    return this.sandbox.respond(request, route)
  }

  /** Matches a Fetch request. Returns undefined if it is for another handler. */
  match(request: Request): HandlerMatch | undefined {
    const target = matchBaseUrl(this.base, request.url)
    if (target === undefined) return undefined
    const { path, query } = splitTarget(target)
    const route = this.sandbox.route(this.address, request.method, path)
    if (this.operation !== undefined && route.operation !== this.operation) return undefined
    return { path, query, route }
  }

  /** Replaces the matching of msw, which compiles the path pattern for every request. */
  override async parse({ request }: { request: Request }): Promise<{
    match: ParsedMatch
    cookies: Record<string, string>
  }> {
    return { match: { matches: this.match(request) !== undefined, params: {} }, cookies: {} }
  }

  /** Whether `parse` matched the request. */
  override async predicate(found: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return found.parsedResult.match.matches
  }

  async #respondToFetch(request: Request): Promise<Response> {
    const match = this.match(request)
    if (!match) return Response.error()
    const apiRequest = toApiRequest(request, this.address, match)
    return toResponse(await this.respond(apiRequest, match.route), request)
  }
}

/** Splits `/inventory/7?x=1#y` into path and query, and drops the fragment. */
export function splitTarget(target: string): { path: string; query: string } {
  const fragmentAt = target.indexOf('#')
  const whole = fragmentAt < 0 ? target : target.slice(0, fragmentAt)
  const queryAt = whole.indexOf('?')
  if (queryAt < 0) return { path: whole, query: '' }
  return { path: whole.slice(0, queryAt), query: whole.slice(queryAt + 1) }
}

/** Passes a request to the handler of its operation at one address. Never throws or rejects. */
export type AddressResponder = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>

/** Creates the responder of an address, which the HTTP server calls. */
export function createResponder(
  sandbox: Sandbox,
  handlers: readonly OperationHandler[],
  address: AddressId,
): AddressResponder {
  const handlerOf = new Map<OperationId | undefined, OperationHandler>(
    handlers
      .filter((handler) => handler.address === address)
      .map((handler) => [handler.operation, handler]),
  )
  return (request) => {
    const route = sandbox.route(address, request.method, request.path)
    // An address at `*` has no handler for requests without an operation.
    return (handlerOf.get(route.operation) ?? sandbox).respond(request, route)
  }
}

/** Converts `/inventory/{petId}` to the syntax of msw: `/inventory/:petId`. */
function toMswPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

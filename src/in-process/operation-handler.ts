import { HttpHandler } from 'msw'
import type { AddressId } from '../contract/addresses.js'
import { type OperationId, operations } from '../operations/operations.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import type { Route } from '../pipeline/route.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { type BaseUrl, matchBaseUrl } from './base-url.js'
import { splitTarget, toApiRequest, toResponse } from './fetch.js'

/** Where a request was found to lead. */
interface Match {
  readonly matches: boolean
  readonly params: Record<string, string>
  readonly target?: string
  readonly route?: Route
}

/**
 * One operation at one address: a request handler of msw, and at the same time what the HTTP
 * sandbox calls directly. Without an operation it answers all that comes to its address, and
 * stands behind those that have one.
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
    super(contract?.method ?? /.+/, `${base.text}${path}`, ({ request }) => this.#respond(request))
  }

  /** Answers a call that its route leads here. Never throws or rejects. */
  respond(call: ApiRequest, route: Route): ApiResponse | Promise<ApiResponse> {
    return this.sandbox.respond(call, route)
  }

  /**
   * Finds where the request leads. It takes the place of msw's own matching, which compiles the
   * pattern again with each call.
   */
  override async parse({ request }: { request: Request }): Promise<{
    match: Match
    cookies: Record<string, string>
  }> {
    return { match: this.#match(request), cookies: {} }
  }

  /** Whether `parse` found that the request leads here. */
  override async predicate(found: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return found.parsedResult.match.matches
  }

  #match(request: Request): Match {
    const target = matchBaseUrl(this.base, request.url)
    if (target === undefined) return noMatch
    const route = this.sandbox.route(this.address, request.method, splitTarget(target).path)
    if (this.operation !== undefined && route.operation !== this.operation) return noMatch
    return { matches: true, params: {}, target, route }
  }

  async #respond(request: Request): Promise<Response> {
    const { target = '', route } = this.#match(request)
    if (!route) return Response.error()
    const call = await toApiRequest(request, this.address, target)
    return toResponse(await this.respond(call, route), request)
  }
}

const noMatch: Match = { matches: false, params: {} }

/** `/inventory/{petId}` as msw writes it: `/inventory/:petId`. */
function toMswPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

import { requestIdHeader } from '../service/headers.js'
import type { ApiRequest, RequestBody } from './exchange.js'
import { maskHeader } from './mask.js'
import { createExchange, endExchange, execute, identify } from './respond.js'
import { identifyRequest, toRateLimitHeaders } from './response.js'
import type { Route } from './route.js'
import type { Sandbox } from './sandbox.js'

export type Header = readonly [name: string, value: string]

/** A response of a handler that the user added. */
export interface UserResponse {
  /** 0 if the handler closes the connection. */
  readonly status: number
  readonly headers: Iterable<Header>
  /** The code of an Error body, if the handler failed. */
  readonly code?: string
}

/**
 * Starts the recording of a request that handlers of the user receive before the sandbox does. Call
 * the returned function if one of them responds: it records the request in the journal of the
 * key's world, charges nothing, and resolves to the rate-limit headers and the request id.
 *
 * @param route Undefined if the request is outside all addresses of the sandbox.
 */
export function beginUserExchange(
  request: ApiRequest,
  body: RequestBody,
  route: Route | undefined,
  sandbox: Sandbox,
): (response: UserResponse) => Promise<readonly Header[]> {
  const startedAt = sandbox.settings.platform.monotonic()
  const exchange = createExchange(request, route ?? { allow: [] }, sandbox, startedAt)
  exchange.body = body
  exchange.userHandled = { address: route && request.address }
  return async ({ status, headers, code }) => {
    // A user handler also responds to requests without a valid key.
    await identify(exchange).catch(() => {})
    const outcome = code === undefined ? `responds with ${status}` : 'fails'
    exchange.explanation.push(`a user handler ${status === 0 ? 'closes the connection' : outcome}`)
    exchange.code = code
    const recordedHeaders = [...headers].flatMap(([name, value]) => [
      name,
      maskHeader(name.toLowerCase(), value, undefined),
    ])
    try {
      await execute(exchange, () => ({ status, headers: recordedHeaders, body: undefined }))
    } finally {
      endExchange(exchange)
    }
    const requestId = identifyRequest(exchange, 0) // set by the entry
    return [...toRateLimitHeaders(exchange), [requestIdHeader, requestId]]
  }
}

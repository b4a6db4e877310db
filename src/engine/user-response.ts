import { requestIdHeader } from '../service/headers.js'
import { addEntry, isRetained } from './entry.js'
import { Exchange } from './exchange.js'
import { maskHeader } from './mask.js'
import type { ApiRequest, RequestBody } from './message.js'
import { authenticate } from './respond.js'
import { toRateLimitHeaders } from './response.js'
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
  const exchange = new Exchange(
    request,
    route ?? noRoute,
    sandbox,
    sandbox.settings.platform.monotonic(),
  )
  exchange.body = body
  return async ({ status, headers, code }) => {
    await identify(exchange)
    const outcome = code === undefined ? `responds with ${status}` : 'fails'
    exchange.explanation.push(`a user handler ${status === 0 ? 'closes the connection' : outcome}`)
    const response = { status, headers: [...headers].flatMap(toRecordedHeader), body: undefined }
    exchange.code = code
    const userHandled = { address: route && request.address }
    const log = () => addEntry(exchange, response, userHandled)
    try {
      if (isRetained(exchange)) await sandbox.worlds.execute(exchange.world, log)
      else log()
    } finally {
      exchange.end()
    }
    const { requestId = '' } = exchange // set by the entry
    return [...toRateLimitHeaders(exchange), [requestIdHeader, requestId]]
  }
}

const noRoute: Route = { endpoint: undefined, operation: undefined, params: undefined, allow: [] }

/** Finds the holder of the key. A user handler also responds to requests without a valid key. */
async function identify(exchange: Exchange): Promise<void> {
  try {
    await authenticate(exchange)
  } catch {}
}

function toRecordedHeader([name, value]: Header): string[] {
  return [name, maskHeader(name.toLowerCase(), value, undefined)]
}

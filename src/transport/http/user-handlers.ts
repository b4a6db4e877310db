import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { createMiddleware } from '@mswjs/http-middleware'
import type { RequestHandler } from 'msw'
import type { Exchange } from '../../engine/exchange.js'
import { createExchange, endExchange, execute, findRoute, identify } from '../../engine/respond.js'
import { toRateLimitHeaders, toRequestId } from '../../engine/response.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { requestIdHeader } from '../../service/headers.js'
import { maskHeader } from '../../service/mask.js'
import { readErrorField } from '../../service/validation/message.js'
import type { HttpRequest } from './request.js'
import { resetConnection } from './respond.js'

/**
 * Responds with the msw handlers that a user added. The response is recorded and has the rate-limit
 * headers. Returns false if no handler responds, and rejects with the error that a handler throws.
 */
export async function respondWithHandlers(
  handlers: readonly RequestHandler[],
  request: HttpRequest,
  sandbox: Sandbox,
): Promise<boolean> {
  const { req, res } = request
  const body = await request.readBodyForUser()
  if (body === 'too-large' || !isSupported(request)) return false
  const route = request.isBelowAddress ? await findRoute(request) : undefined
  const startedAt = sandbox.settings.platform.monotonic()
  const exchange = createExchange(request, route ?? { allow: [] }, sandbox, startedAt)
  exchange.body = body
  exchange.userHandled = { address: route && request.address }
  const response = await runHandlers(handlers, req, body).catch(async (error: unknown) => {
    exchange.code = 'internal_error'
    for (const [name, value] of await record(exchange, 'fails', 500)) res.setHeader(name, value)
    throw error
  })
  if (!response) return false
  const { status, headers } = response
  // The status of a network error is 0.
  const outcome = status === 0 ? 'closes the connection' : `responds with ${status}`
  await sendResponse(res, response, await record(exchange, outcome, status, headers))
  return true
}

type Header = readonly [name: string, value: string]

/**
 * Records the response of a handler in the journal of the key's world, and charges nothing. Resolves to
 * the rate-limit headers and the request id.
 */
async function record(
  exchange: Exchange,
  outcome: string,
  status: number,
  sent: Iterable<Header> = [],
): Promise<readonly Header[]> {
  // A user handler also responds to requests without a valid key.
  await identify(exchange).catch(() => {})
  exchange.explanation.push(`a user handler ${outcome}`)
  const headers = [...sent].flatMap(([name, value]) => [
    name,
    maskHeader(name.toLowerCase(), value),
  ])
  try {
    await execute(exchange, () => ({ status, headers, body: undefined }))
  } finally {
    endExchange(exchange)
  }
  const requestId = toRequestId(exchange, 0) // set by the entry
  return [...toRateLimitHeaders(exchange), [requestIdHeader, requestId]]
}

/** Fetch does not support TRACE, and msw throws an error if it cannot decode the path. */
function isSupported({ method, path }: HttpRequest): boolean {
  try {
    decodeURIComponent(path)
    return method !== 'TRACE'
  } catch {
    return false
  }
}

type MiddlewareArguments = Parameters<ReturnType<typeof createMiddleware>>

/**
 * Runs handlers with the middleware of @mswjs/http-middleware. Returns the first response, or undefined
 * if there is none.
 *
 * The middleware ends the process on a network error or a failing body, and shares cookies between
 * clients. Therefore responses bypass it, and it always sees a request that is passed through.
 */
async function runHandlers(
  handlers: readonly RequestHandler[],
  req: IncomingMessage,
  body: Uint8Array | undefined,
): Promise<Response | undefined> {
  const { createMiddleware } = await import('@mswjs/http-middleware')
  // The result of `passthrough()` of msw.
  const passthrough = { status: 302, headers: { 'x-msw-intention': 'passthrough' } }
  let found: Response | undefined
  const wrapped = handlers.map((handler) => {
    const run: RequestHandler['run'] = async (options) => {
      const result = await handler.run(options)
      if (!result?.response) return result
      const intention = result.response.headers.get('x-msw-intention')
      if (intention !== 'passthrough') found = result.response
      return { ...result, response: new Response(null, passthrough) }
    }
    // msw uses only this method of a handler to get a response.
    return { run } as unknown as Parameters<typeof createMiddleware>[number]
  })
  const request = toMiddlewareRequest(req, body)
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    // The middleware uses the response only if a handler responds.
    void createMiddleware(...wrapped)(request, {} as MiddlewareArguments[1], next)
  })
  return found
}

function toMiddlewareRequest(
  req: IncomingMessage,
  body: Uint8Array | undefined,
): MiddlewareArguments[0] {
  const { host = 'localhost', accept, ...headers } = req.headers
  // A client cannot bypass the handlers.
  const types = accept?.split(',').filter((type) => !type.includes('msw/passthrough'))
  const request = {
    method: req.method,
    protocol: 'http',
    // An absolute URL, so that no path is parsed as a host.
    url: `http://${host}${req.url}`,
    headers: { host, ...headers, ...(types && { accept: types.join(',').trim() || '*/*' }) },
    // No stream and no content type, so that the middleware does not parse the body.
    readable: false,
    body: body && body.byteLength > 0 ? body : undefined,
    get: () => host,
    header: () => undefined,
  }
  // It has every property that the middleware reads.
  return request as unknown as MiddlewareArguments[0]
}

/**
 * Sends a Fetch response. A network error closes the connection without a response, and a failing body
 * closes it after the bytes that it produced. Pages of any origin may read a response without CORS
 * headers.
 *
 * @param rateLimit The rate-limit headers. The headers of the response take precedence.
 * @throws The error of the body, after the connection is closed.
 */
async function sendResponse(
  res: ServerResponse,
  response: Response,
  rateLimit: readonly Header[],
): Promise<void> {
  const { status, statusText, headers } = response
  const body = response.body as Parameters<typeof Readable.fromWeb>[0] | null // the same class
  if (response.type === 'error') return resetConnection(res)
  if (!res.destroyed) {
    const added = rateLimit.filter(([name]) => !headers.has(name))
    res.writeHead(status, statusText, [...toFlatHeaders(headers), ...added.flat()])
  }
  if (res.destroyed || res.req.method === 'HEAD' || !body) {
    res.end()
    await body?.cancel()
    return
  }
  res.flushHeaders()
  try {
    await pipeline(Readable.fromWeb(body), res)
  } catch (error) {
    // The client may disconnect.
    if (readErrorField(error, 'code') !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** Hop-by-hop headers, which must not be forwarded (RFC 9110, section 7.6.1). */
const connectionHeaders: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding']

function toFlatHeaders(headers: Headers): string[] {
  const forwarded = [...headers].filter(([name]) => !connectionHeaders.includes(name))
  if (!forwarded.some(([name]) => name.startsWith('access-control-'))) {
    forwarded.push(['Access-Control-Allow-Origin', '*'], ['Access-Control-Expose-Headers', '*'])
  }
  return forwarded.flat()
}

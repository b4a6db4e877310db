import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { createMiddleware } from '@mswjs/http-middleware'
import type { RequestHandler } from 'msw'
import type { ApiRequest, RequestBody } from '../../engine/message.js'
import { findRoute } from '../../engine/respond.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { beginUserExchange, type Header } from '../../engine/user-response.js'
import { readErrorField } from '../../service/validation/message.js'
import { resetConnection } from './respond.js'

/** A request that the handlers of a user receive. */
export interface UserRequest {
  readonly request: ApiRequest
  readonly body: RequestBody
  /** Whether the request is below an address of the sandbox. Otherwise its path is the whole path. */
  readonly isBelowAddress: boolean
}

/** Responds to a request whose body has been read. Resolves with false if it does not respond. */
export type UserListener = (
  req: IncomingMessage,
  res: ServerResponse,
  request: UserRequest,
) => Promise<boolean>

/**
 * Creates a listener that responds with the msw handlers that a user added. Its responses are
 * recorded and have the rate-limit headers. The listener rejects with the error that a handler
 * throws.
 */
export function createUserListener(
  handlers: readonly RequestHandler[],
  sandbox: Sandbox,
): UserListener {
  return async (req, res, { request, body, isBelowAddress }) => {
    // msw decodes the path, and throws an error if its percent-encoding is malformed.
    if (!isDecodable(req.url ?? '')) return false
    const route = isBelowAddress ? await findRoute(request) : undefined
    const recordResponse = beginUserExchange(request, body, route, sandbox)
    const bytes = body === 'too-large' ? undefined : body
    const response = await runHandlers(handlers, req, bytes).catch(async (error: unknown) => {
      const failure = { status: 500, headers: [], code: 'internal_error' }
      for (const [name, value] of await recordResponse(failure)) res.setHeader(name, value)
      throw error
    })
    if (!response) return false
    // The status of a network error is 0.
    const { status, headers } = response
    await sendResponse(res, response, await recordResponse({ status, headers }))
    return true
  }
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

type Middleware = ReturnType<typeof createMiddleware>
type MiddlewareHandler = Parameters<typeof createMiddleware>[number]

/**
 * Runs handlers with the middleware of @mswjs/http-middleware. Returns the first response, or
 * undefined if there is none.
 *
 * The middleware ends the process on a network error or a failing body, lets clients bypass all
 * handlers, and shares cookies between clients. It therefore receives substitutes for the request
 * and the response, and an empty copy of each handler's response.
 */
async function runHandlers(
  handlers: readonly RequestHandler[],
  req: IncomingMessage,
  body: Uint8Array | undefined,
): Promise<Response | undefined> {
  const { createMiddleware } = await import('@mswjs/http-middleware')
  let found: Response | undefined
  const onResponse = (response: Response) => {
    found = response
  }
  const middleware = createMiddleware(...handlers.map((handler) => wrap(handler, onResponse)))
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve(found) : reject(error))
    const response = { end: () => done(), appendHeader: () => {} }
    void middleware(...toMiddlewareArguments(createRequest(req, body), response), done)
  })
}

/** Wraps a handler: passes its response to `onResponse`, and an empty one to the middleware. */
function wrap(
  handler: RequestHandler,
  onResponse: (response: Response) => void,
): MiddlewareHandler {
  const run: RequestHandler['run'] = async (options) => {
    const result = await handler.run(options)
    if (!result?.response || isPassthrough(result.response)) return result
    onResponse(result.response)
    return { ...result, response: new Response() }
  }
  // msw uses only this method of a handler to get a response.
  return { run } as unknown as MiddlewareHandler
}

/** Whether a response was created with `passthrough()` of msw. */
function isPassthrough(response: Response): boolean {
  return response.headers.get('x-msw-intention') === 'passthrough'
}

function toMiddlewareArguments(request: object, response: object) {
  // The objects have every property that the middleware reads.
  return [request, response] as unknown as [Parameters<Middleware>[0], Parameters<Middleware>[1]]
}

function createRequest(req: IncomingMessage, body: Uint8Array | undefined): object {
  const host = req.headers.host ?? 'localhost'
  return {
    method: req.method,
    protocol: 'http',
    // An absolute URL, so that no path is parsed as a host.
    url: `http://${host}${req.url}`,
    headers: toHeaders(req),
    // Neither a stream nor a content type, so that the middleware does not parse the body.
    readable: false,
    body: body && body.byteLength > 0 ? body : undefined,
    get: () => host,
    header: () => undefined,
  }
}

/** Returns the headers. Removes `msw/passthrough`, which would make msw bypass all handlers. */
function toHeaders(req: IncomingMessage): Record<string, string> {
  const entries = Object.entries(req.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const headers = Object.fromEntries(entries)
  const { accept } = headers
  if (accept?.includes('msw/passthrough')) {
    const types = accept.split(',').filter((type) => !type.includes('msw/passthrough'))
    headers.accept = types.join(',').trim() || '*/*'
  }
  return headers
}

/**
 * Sends a Fetch response. A network error closes the connection without a response, and a failing
 * body closes it after the bytes that it produced. Pages of any origin may read a response without
 * CORS headers.
 *
 * @param rateLimit The rate-limit headers, which those of the response replace.
 * @throws The error of the body, after the connection is closed.
 */
async function sendResponse(
  res: ServerResponse,
  response: Response,
  rateLimit: readonly Header[],
): Promise<void> {
  if (res.destroyed) {
    await response.body?.cancel()
    return
  }
  if (response.type === 'error') return resetConnection(res)
  const added = rateLimit.filter(([name]) => !response.headers.has(name))
  const headers = [...toFlatHeaders(response.headers), ...added.flat()]
  res.writeHead(response.status, response.statusText, headers)
  if (res.req.method === 'HEAD' || !response.body) {
    res.end()
    await response.body?.cancel()
    return
  }
  res.flushHeaders()
  try {
    await pipeline(toReadable(response.body), res)
  } catch (error) {
    if (!isDisconnect(error)) throw error
  }
}

/** The two types describe the same class: that of a browser and that of Node.js. */
function toReadable(body: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(body as unknown as NodeStream<Uint8Array>)
}

/** Hop-by-hop headers, which must not be forwarded (RFC 9110, section 7.6.1). */
const connectionHeaders: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding']

/** Allow pages of any origin to read a response with its headers. */
const corsHeaders = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*']

function toFlatHeaders(headers: Headers): string[] {
  const flat: string[] = []
  let hasCorsHeader = false
  for (const [name, value] of headers) {
    if (connectionHeaders.includes(name)) continue
    if (name.startsWith('access-control-')) hasCorsHeader = true
    flat.push(name, value)
  }
  return hasCorsHeader ? flat : [...flat, ...corsHeaders]
}

function isDisconnect(error: unknown): boolean {
  return readErrorField(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE'
}

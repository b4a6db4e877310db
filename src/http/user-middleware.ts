import type { IncomingMessage } from 'node:http'
import type { createMiddleware } from '@mswjs/http-middleware'
import type { RequestHandler } from 'msw'

type Middleware = ReturnType<typeof createMiddleware>
type MiddlewareHandler = Parameters<typeof createMiddleware>[number]

/**
 * Runs msw handlers with the middleware of @mswjs/http-middleware and gives the response of the
 * first that answers; undefined when none does.
 *
 * The middleware is kept away from the connection, because it ends the process on a network error
 * or a body that fails, lets any client skip all handlers, and keeps the cookies of one client for
 * all others. So it sees a stand-in of the request and of the response, and each handler's response
 * is taken aside before the middleware gets to it.
 *
 * @throws Whatever a handler throws.
 */
export async function runUserHandlers(
  handlers: readonly RequestHandler[],
  req: IncomingMessage,
  body: Uint8Array | undefined,
): Promise<Response | undefined> {
  const { createMiddleware } = await import('@mswjs/http-middleware')
  let taken: Response | undefined
  const take = (response: Response) => {
    taken = response
  }
  const middleware = createMiddleware(...handlers.map((handler) => wrap(handler, take)))
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve(taken) : reject(error))
    const response = { end: () => done(), appendHeader: () => {} }
    void middleware(...standIns(createRequest(req, body), response), done)
  })
}

/** A handler whose response is taken aside; an empty one tells the middleware that it answered. */
function wrap(handler: RequestHandler, take: (response: Response) => void): MiddlewareHandler {
  const run: RequestHandler['run'] = async (given) => {
    const result = await handler.run(given)
    if (!result?.response || isPassedOn(result.response)) return result
    take(result.response)
    return { ...result, response: new Response() }
  }
  // Of a handler, msw only runs it when it looks for a response.
  return { run } as unknown as MiddlewareHandler
}

/** What `passthrough()` of msw makes. */
function isPassedOn(response: Response): boolean {
  return response.headers.get('x-msw-intention') === 'passthrough'
}

/** A request and a response with all that the middleware uses of them. */
function standIns(request: object, response: object) {
  return [request, response] as unknown as [Parameters<Middleware>[0], Parameters<Middleware>[1]]
}

/** The request as the middleware reads it, with its body as bytes. */
function createRequest(req: IncomingMessage, body: Uint8Array | undefined): object {
  const host = req.headers.host ?? 'localhost'
  return {
    method: req.method,
    protocol: 'http',
    // Whole, so that no path is taken for a host.
    url: `http://${host}${req.url}`,
    headers: toHeaders(req),
    // With neither a stream nor a type, the middleware takes the body as it is.
    readable: false,
    body: body && body.byteLength > 0 ? body : undefined,
    get: () => host,
    header: () => undefined,
  }
}

/** The headers without the one by which msw lets a request of its own pass all handlers. */
function toHeaders(req: IncomingMessage): Record<string, string> {
  const entries = Object.entries(req.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const headers = Object.fromEntries(entries)
  const { accept } = headers
  if (accept?.includes('msw/passthrough')) {
    const kept = accept.split(',').filter((part) => !part.includes('msw/passthrough'))
    headers.accept = kept.join(',').trim() || '*/*'
  }
  return headers
}

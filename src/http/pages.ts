import { fileURLToPath } from 'node:url'
import express, { type Express, type Request, type Response } from 'express'
import { addresses } from '../contract/addresses.js'
import { createInternalProblem, Problem } from '../contract/errors.js'
import { toControlOpenApi } from '../openapi/control.js'
import { toOpenApi } from '../openapi/service.js'
import { toProblemResponse } from './respond.js'
import type { RestParts } from './rest.js'
import { securityHeaders } from './security-headers.js'
import { toStartPage } from './start-page.js'

/** What stands beside the addresses: the console, the OpenAPI document, and how the server is. */
export function createExpressApp(parts: RestParts): Express {
  const { consoleDirectory, isClosing, reportError, allowsAnyPage } = parts
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.use((_req, res, next) => {
    res.set(securityHeaders)
    next()
  })
  if (allowsAnyPage) app.use(answerPreflight)
  app.use(express.static(fileURLToPath(consoleDirectory), { redirect: false }))

  const documents: Readonly<Record<string, (req: Request, res: Response) => void>> = {
    '/': (req, res) => res.type('html').send(toStartPage(toOrigin(req))),
    '/openapi.json': serveOnceMade(toOpenApi),
    '/openapi.sandbox.json': serveOnceMade(toControlOpenApi),
    '/healthz': (_req, res) => sendJson(res, 200, '{"status":"ok"}'),
    '/readyz': (_req, res) =>
      isClosing()
        ? sendProblem(res, new Problem('sandbox_capacity', 'the sandbox is closing'))
        : sendJson(res, 200, '{"status":"ready"}'),
  }
  for (const [path, answer] of Object.entries(documents)) {
    app.route(path).get(answer).all(refuseMethod)
  }

  app.use((req: Request, res: Response) => {
    const known = Object.values(addresses).map(({ httpPath }) => httpPath)
    const what = `${req.method} ${req.path.slice(0, 200)}`
    const message = `nothing answers ${what}; the addresses are ${known.join(', ')}`
    sendProblem(res, new Problem('route_not_found', message))
  })
  // Express tells what handles errors by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: () => void) => {
    if (res.headersSent) res.destroy()
    else sendProblem(res, toProblem(error, reportError))
  })
  return app
}

/** A page asks first whether it may send something that no plain form could (Fetch standard). */
function answerPreflight(req: Request, res: Response, next: () => void): void {
  if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
    next()
    return
  }
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    // The wildcard does not stand for Authorization.
    'Access-Control-Allow-Headers': 'Authorization, *',
  })
  res.status(204).end()
}

function refuseMethod(req: Request, res: Response): void {
  res.set('Allow', 'GET, HEAD')
  const message = `${req.method} is no method of ${req.path}; it has GET, HEAD`
  sendProblem(res, new Problem('method_not_allowed', message))
}

/** Makes a document when it is first asked for, as a start has no time for it. */
function serveOnceMade(make: () => object): (req: Request, res: Response) => void {
  let text: string | undefined
  return (_req, res) => {
    text ??= JSON.stringify(make())
    sendJson(res, 200, text)
  }
}

function sendJson(res: Response, status: number, text: string): void {
  res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'no-cache')
  res.status(status).type('json').send(text)
}

function sendProblem(res: Response, problem: Problem): void {
  const { status, headers, body } = toProblemResponse(problem)
  for (let at = 0; at + 1 < headers.length; at += 2) {
    res.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
  }
  res.status(status).end(body?.text)
}

/** The origin by which the client reached the server; the guard has looked at its Host. */
function toOrigin(req: Request): string {
  return `http://${req.get('host') ?? 'localhost'}`
}

/** What serving files throws names a status; all else is a defect. */
function toProblem(error: unknown, reportError: RestParts['reportError']): Problem {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status === 404) return new Problem('route_not_found', 'there is no such file')
  if (status >= 400 && status < 500) {
    return new Problem('malformed_request', 'the path or a header of the request is malformed')
  }
  reportError(error)
  return createInternalProblem()
}

import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import { toControlOpenApi } from '../../engine/control-document.js'
import { createInternalProblem, Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { toOpenApi } from '../../service/openapi/service.js'
import type { OpenApiOptions } from '../../service/openapi/source.js'
import { readErrorField } from '../../service/validation/message.js'
import type { PublicAddress } from './hosts.js'
import type { MetricsReader } from './metrics.js'
import { createRouteProblem, guides } from './request.js'
import { toProblemResponse } from './respond.js'

/** The parts of a server that its pages need. */
export interface PagesParts {
  readonly address: PublicAddress
  /** Rejects if prom-client is not installed. */
  readonly createMetricsReader: () => Promise<MetricsReader>
  /** Directory of static files. Its `index.html` is the console. */
  readonly consoleDirectory: URL
  /** The root of the package, which contains the guides. */
  readonly packageDirectory: URL
  readonly reportError: (error: unknown) => void
  /** Whether to accept all CORS preflight requests, for handlers that a user added. */
  readonly allowsAnyPage: boolean
}

/** Headers of all pages and documents. They allow only content of the same origin, and no framing. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** Creates the Express app for the console, the OpenAPI documents, the guides and the metrics. */
export function createPages(parts: PagesParts): RequestListener {
  const { consoleDirectory, reportError, allowsAnyPage } = parts
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.use((_req, res, next) => {
    res.set(securityHeaders)
    next()
  })
  if (allowsAnyPage) app.use(respondToPreflight)
  app.get('/', redirectToFolder)
  app.use(express.static(fileURLToPath(consoleDirectory), { redirect: false }))
  addDocuments(app, parts)
  app.use((req: Request) => {
    throw createRouteProblem(req)
  })
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: () => void) => {
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { status, headers, body } = toProblemResponse(toProblem(error, reportError))
    for (let at = 0; at + 1 < headers.length; at += 2) {
      res.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
    }
    res.status(status).end(body?.text)
  })
  return app
}

function addDocuments(app: Express, parts: PagesParts): void {
  const { address, packageDirectory, createMetricsReader } = parts
  const documents: Readonly<Record<string, RequestHandler>> = {
    '/': () => {
      throw new Problem('route_not_found', 'the console is not built; run "npm run build"')
    },
    '/openapi.json': serveDocument(toOpenApi, address),
    '/openapi.3.0.json': serveDocument(
      (options) => toOpenApi({ ...options, openapi: '3.0' }),
      address,
    ),
    '/openapi.sandbox.json': serveDocument(toControlOpenApi, address),
    '/metrics': serveMetrics(createMetricsReader),
  }
  for (const [path, listener] of Object.entries(documents)) {
    app.route(path).get(listener).all(rejectMethod)
  }
  app.route(guides).get(serveGuide(packageDirectory, address)).all(rejectMethod)
}

/** Adds the slash to the path of a mounted sandbox: the console loads files relative to its URL. */
function redirectToFolder(req: Request, res: Response, next: () => void): void {
  const [path = ''] = req.originalUrl.split('?', 1)
  if (path.endsWith('/')) next()
  else res.redirect(`./${path.slice(path.lastIndexOf('/') + 1)}/`)
}

/** Responds to a CORS preflight request (Fetch standard). */
function respondToPreflight(req: Request, res: Response, next: () => void): void {
  if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
    next()
    return
  }
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    // The wildcard does not include Authorization.
    'Access-Control-Allow-Headers': 'Authorization, *',
  })
  res.status(204).end()
}

function rejectMethod(req: Request): void {
  const message = `${req.path} does not support the method ${req.method}; it supports GET and HEAD`
  throw new Problem('method_not_allowed', message)
}

/** Placeholder for the URL of the server, which differs between requests. */
const documentRoot = 'https://root.invalid'

/** Every page can read a document. A cache must revalidate it, because its URLs depend on the request. */
function setDocumentHeaders(res: Response): void {
  res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'no-cache')
  res.set('Access-Control-Expose-Headers', requestIdHeader)
}

/** Creates a document on its first request. */
function serveDocument(
  create: (options: OpenApiOptions) => object | Promise<object>,
  address: PublicAddress,
): RequestHandler {
  let text: string | undefined
  return async (req, res) => {
    text ??= JSON.stringify(await create({ root: documentRoot }))
    setDocumentHeaders(res)
    // The URL was validated and needs no escaping.
    res.type('json').send(Buffer.from(text.replaceAll(documentRoot, address.resolve(req))))
  }
}

/** URL of the server in the guides. */
const guideRoot = 'http://127.0.0.1:4010'

/** Sends the guide of the path, with the URL of this server. */
function serveGuide(directory: URL, address: PublicAddress): RequestHandler {
  return async (req, res) => {
    const text = await readFile(new URL(`.${req.path}`, directory), 'utf8')
    setDocumentHeaders(res)
    res.type(extname(req.path) || 'txt').send(text.replaceAll(guideRoot, address.resolve(req)))
  }
}

/** Loads prom-client on the first request. */
function serveMetrics(create: PagesParts['createMetricsReader']): RequestHandler {
  let creating: Promise<MetricsReader> | undefined
  return async (_req, res) => {
    creating ??= create()
    const reader = await creating.catch((error: unknown) => {
      creating = undefined
      const isMissing = /^(?:ERR_)?MODULE_NOT_FOUND$/.test(readErrorField(error, 'code') ?? '')
      if (!isMissing) throw error
      const message = '/metrics requires the package prom-client, which is not installed'
      const advice = 'run "npm install prom-client" and restart the sandbox'
      throw new Problem('route_not_found', `${message}; ${advice}`)
    })
    const text = await reader.metrics()
    res.set('Cache-Control', 'no-store').type(reader.contentType).send(text)
  }
}

/** Express's errors have a status. All other errors are bugs and are reported. */
function toProblem(error: unknown, reportError: PagesParts['reportError']): Problem {
  if (error instanceof Problem) return error
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  const isMissing = status === 404 || readErrorField(error, 'code') === 'ENOENT'
  if (isMissing) return new Problem('route_not_found', 'the file does not exist')
  if (status >= 400 && status < 500) {
    return new Problem('malformed_request', 'the path or a header of the request is malformed')
  }
  reportError(error)
  return createInternalProblem()
}

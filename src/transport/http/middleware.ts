import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import { type ApiResponse, longBodyBytes, RequestAborted } from '../../engine/exchange.js'
import { respond } from '../../engine/respond.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { createCapacityProblem, type HttpLimits } from '../../service/bounds.js'
import { createInternalProblem, Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { Clients } from './clients.js'
import { type Connection, HttpConnections } from './connections.js'
import type { HostOptions } from './hosts.js'
import { createMetricsReader } from './metrics.js'
import {
  createRouteProblem,
  HttpRequest,
  hasBody,
  isBelowAddress,
  isPage,
  RequestChecks,
} from './request.js'
import { isHttp2, type Metrics, Responder, toProblemResponse, toStatusResponse } from './respond.js'
import { respondWithHandlers } from './user-handlers.js'

/** The parts of a {@link Middleware}. */
export interface MiddlewareParts {
  readonly core: Sandbox
  readonly limits: HttpLimits
  readonly hosts: HostOptions
  readonly metrics: Metrics
  /** Whether `handle` also takes requests for pages. */
  readonly pages: boolean
  /** Handlers that a user added. They receive each request first. */
  readonly handlers: readonly RequestHandler[]
  /** Directory of the built console. Default: the directory in the package. */
  readonly consoleDirectory?: URL | undefined
}

const builtConsole = new URL('../console/', import.meta.url)
const builtPackage = new URL('../../', import.meta.url)

const healthPattern = /^\/(healthz|readyz)(?:\?|$)/

/** The requests of one server, from their headers to their response. */
export class Middleware {
  readonly clients: Clients
  readonly connections: HttpConnections
  readonly responder: Responder
  readonly #checks: RequestChecks
  #pages: Promise<RequestListener> | undefined
  /** Whether `/readyz` responds with 503. */
  isClosing = false
  #isClosed = false
  #running = 0
  #onIdle: (() => void) | undefined

  constructor(readonly parts: MiddlewareParts) {
    const { core, limits, hosts } = parts
    this.#checks = new RequestChecks(hosts, limits)
    this.clients = new Clients(core, limits)
    this.connections = new HttpConnections(this.clients)
    this.responder = new Responder(this.clients)
  }

  /** Responds to requests for the sandbox, and passes on all others. Never throws. */
  readonly handle = (req: IncomingMessage, res: ServerResponse, next?: () => void): void => {
    const { url = '' } = req
    const { pages, consoleDirectory = builtConsole } = this.parts
    const isOurs =
      isBelowAddress(url) ||
      (pages && healthPattern.test(url)) ||
      // Express, which serves the pages, does not support HTTP/2.
      (pages && !isHttp2(req) && isPage(url, consoleDirectory, builtPackage))
    if (isOurs && !this.#isClosed) this.receive(req, res)
    else if (next) next()
    else this.responder.sendProblem(res, createRouteProblem(req), true)
  }

  /**
   * Responds to a request when the previous response of its connection has been sent, because Node
   * emits all requests of one read at once. Starts to track the connection, unless it belongs to our
   * own listener. Each request of HTTP/2 has its own socket.
   */
  readonly receive = (req: IncomingMessage, res: ServerResponse): void => {
    const { connections } = this
    const { socket } = req
    if (socket.destroyed) return
    const connection = connections.bySocket.get(socket) ?? connections.track(socket, false, false)
    const before = connection.response
    connection.response = res
    if (!before || before.writableFinished) void this.#respond(req, res, connection)
    else connections.wait(before, res, connection, () => void this.#respond(req, res, connection))
  }

  /** Responds to a request, with 404 if nothing else does. Never rejects. */
  async #respond(req: IncomingMessage, res: ServerResponse, connection: Connection): Promise<void> {
    const { responder } = this
    const { core, handlers, limits, metrics } = this.parts
    let request: HttpRequest | undefined
    this.#running += 1
    try {
      const problem = this.#checks.findProblem(req, connection)
      if (problem) {
        responder.sendProblem(res, problem, hasBody(req) || connection.isExcess)
        return
      }
      const isProxied = limits.trustedProxies > 0
      const client = isProxied ? this.clients.of(req, connection.client) : connection.client
      request = new HttpRequest(req, res, connection, client, this.#checks)
      const { isBelowAddress } = request
      const isForSandboxOnly = isBelowAddress && !connection.isExcess && handlers.length === 0
      if (!isForSandboxOnly && (await this.#respondFirst(request))) return
      if (client.hasLongResponse) await client.takeTurn()
      const response = await respond(request, core, metrics)
      client.hasLongResponse = (response.body?.byteLength ?? 0) >= longBodyBytes
      responder.send(res, response, !req.complete && isUnread(req, limits), client)
    } catch (error) {
      if (error instanceof RequestAborted) return
      if (error instanceof Problem) responder.sendProblem(res, error, true)
      else responder.fail(res, error)
    } finally {
      request?.release()
      this.#running -= 1
      if (this.#running === 0) this.#onIdle?.()
    }
  }

  /**
   * Responds to health checks, to connections beyond the limit of a client, with the handlers of a
   * user, and with pages. Returns false if the sandbox must respond.
   */
  async #respondFirst(request: HttpRequest): Promise<boolean> {
    const { req, res, connection, isBelowAddress } = request
    const [, check] = healthPattern.exec(req.url ?? '') ?? []
    if (check) {
      const response = await this.#checkHealth(check, req.method)
      this.responder.sendOwn(res, response, hasBody(req) || connection.isExcess)
      return true
    }
    if (connection.isExcess) {
      const { clientConnections } = this.parts.limits
      throw createCapacityProblem(`${clientConnections} connections per client`, 1)
    }
    if (await this.#runUserHandlers(request)) return true
    if (!isBelowAddress) await this.#servePage(request)
    return !isBelowAddress
  }

  /** Responds to a health check without Express, so that a busy server responds too. */
  async #checkHealth(name: string, method = 'GET'): Promise<ApiResponse> {
    if (method !== 'GET' && method !== 'HEAD') {
      const message = `/${name} does not support the method ${method}; it supports GET and HEAD`
      return toProblemResponse(new Problem('method_not_allowed', message))
    }
    if (name === 'healthz') return toStatusResponse('ok')
    if (this.isClosing) {
      return toProblemResponse(new Problem('sandbox_capacity', 'the sandbox is closing', 1))
    }
    try {
      await this.parts.core.worlds.stored?.check()
      return toStatusResponse('ready')
    } catch (error) {
      return toProblemResponse(error instanceof Problem ? error : createInternalProblem())
    }
  }

  /** Returns whether a handler of the user has responded. */
  async #runUserHandlers(request: HttpRequest): Promise<boolean> {
    const { core, handlers } = this.parts
    try {
      return handlers.length > 0 && (await respondWithHandlers(handlers, request, core))
    } catch (error) {
      if (error instanceof RequestAborted || error instanceof Problem) throw error
      const failure = 'a user-defined request handler failed'
      this.responder.fail(request.res, new Error(failure, { cause: error }), failure)
      return true
    }
  }

  async #servePage(request: HttpRequest): Promise<void> {
    const { responder } = this
    const { req, res, client } = request
    // The length of a body is known only after it has arrived.
    if (req.headers['transfer-encoding'] !== undefined && !req.complete) await request.readBody(0)
    if (isUnread(req, this.parts.limits)) {
      throw new Problem('payload_too_large', 'no address accepts a body of this size')
    }
    if (req.method === 'TRACE') {
      const problem = new Problem('method_not_allowed', 'no operation has the method TRACE')
      responder.sendProblem(res, problem, false)
      return
    }
    await client.takeTurn()
    if (responder.isDraining) res.setHeader('Connection', 'close')
    res.setHeader(requestIdHeader, responder.toRequestId(res))
    this.#pages ??= this.#loadPages()
    const pages = await this.#pages
    pages(req, res)
    if (!res.writableFinished) responder.limitUnread(res, client)
  }

  /** Loads Express on the first request for a page: API requests do not need it. */
  async #loadPages(): Promise<RequestListener> {
    const { core, metrics, handlers, consoleDirectory = builtConsole } = this.parts
    const { createPages } = await import('./pages.js')
    return createPages({
      address: this.#checks.publicAddress,
      consoleDirectory,
      packageDirectory: builtPackage,
      reportError: core.settings.platform.reportError,
      allowsAnyPage: handlers.length > 0,
      createMetricsReader: () => createMetricsReader(metrics, this.clients),
    })
  }

  /** Ends event streams and delays, which otherwise only a client or a change of a world would end. */
  endWaits(): void {
    this.responder.endStreams()
    this.parts.core.worlds.endDelays()
  }

  /** Passes on later requests. Resolves when the requests in progress have their responses. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.endWaits()
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }
}

/**
 * Whether the body has not arrived and is not drained, because it may be large or is not sent. The
 * connection must then be closed after the response.
 */
function isUnread(req: IncomingMessage, limits: HttpLimits): boolean {
  if (req.complete || !hasBody(req)) return false
  const { expect, 'content-length': length } = req.headers
  return expect !== undefined || length === undefined || Number(length) > limits.bodyBytes
}

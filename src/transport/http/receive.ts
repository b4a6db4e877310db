import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestAborted, splitTarget } from '../../engine/message.js'
import { type RequestObserver, respond } from '../../engine/respond.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { createCapacityProblem, type HttpLimits } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { describeValue } from '../../service/validation/validate.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { Connection, HttpConnections, ServedAddress } from './connections.js'
import { respondToHealthCheck } from './health.js'
import { type AllowedHosts, hostPattern } from './hosts.js'
import type { PublicAddress } from './public-address.js'
import { HttpRequest, hasBody, type RequestTarget } from './request.js'
import { type Responder, toProblemResponse } from './respond.js'
import type { UserListener } from './user-handlers.js'

/** Responds to a request. Rejects only because of a bug. */
export type PageListener = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** The parts of a server that a {@link Receiver} needs. */
export interface ReceiverParts {
  readonly sandbox: Sandbox
  /** Receives a measurement of each request to the sandbox. */
  readonly observer: RequestObserver
  readonly addresses: readonly ServedAddress[]
  readonly limits: HttpLimits
  readonly hosts: AllowedHosts
  readonly publicAddress: PublicAddress
  readonly connections: HttpConnections
  readonly responder: Responder
  /** Handlers that the user added. They receive a request first. */
  readonly userHandlers: UserListener | undefined
  /** Rejects with a problem if the worlds cannot be stored. Undefined without a store. */
  readonly checkStore: (() => Promise<void>) | undefined
  /** Responds to requests outside all addresses. */
  readonly pages: PageListener
}

/** Receives requests: rejects invalid ones, and passes the others to their handler. */
export class Receiver {
  constructor(readonly parts: ReceiverParts) {}

  /** Responds to a request when its turn has come. Never throws. */
  readonly receive = (req: IncomingMessage, res: ServerResponse): void => {
    const connection = this.parts.connections.find(res)
    const order = takeOrder()
    connection?.receive(res, () => void this.#respond(req, res, connection, order))
  }

  /** Never rejects. */
  async #respond(
    req: IncomingMessage,
    res: ServerResponse,
    connection: Connection,
    order: number,
  ): Promise<void> {
    const { connections, limits, responder, checkStore } = this.parts
    try {
      const isLast = hasBody(req) || connection.isExcess
      const problem = this.#findProblem(req)
      if (problem) {
        responder.sendProblem(res, problem, isLast)
        return
      }
      const target = readTarget(this.parts.addresses, req.url ?? '')
      const health = target.address
        ? undefined
        : respondToHealthCheck(req, { isClosing: connections.isClosing, checkStore })
      if (health !== undefined) {
        responder.sendOwn(res, await health, isLast)
        return
      }
      if (connection.isExcess) {
        const limit = `${limits.clientConnections} connections per client`
        responder.sendProblem(res, createCapacityProblem(limit, 1), true)
        return
      }
      const isProxied = limits.trustedProxies > 0
      const client = isProxied ? connections.clients.of(req, connection.client) : connection.client
      const origin = { req, res, connection, client, order }
      const request = new HttpRequest(origin, target, this.parts)
      try {
        await this.#dispatch(request)
      } finally {
        request.release()
      }
    } catch (error) {
      if (error instanceof RequestAborted) return
      if (error instanceof Problem) responder.sendProblem(res, error, true)
      else responder.fail(res, error)
    }
  }

  /** Returns the problem of a malformed request. Changes its target to origin form. */
  #findProblem(req: IncomingMessage): Problem | undefined {
    const [origin] = /^https?:\/\/[^/?#]*/i.exec(req.url ?? '') ?? []
    if (origin !== undefined) {
      const problem = findHostProblem(req)
      if (problem) return problem
      toOriginForm(req, origin)
    }
    return findTargetProblem(req, this.parts.limits) ?? findHeaderProblem(req, this.parts)
  }

  /** Passes the request to the handlers of the user, if there are any, and then to the sandbox. */
  async #dispatch(request: HttpRequest): Promise<void> {
    const { userHandlers, sandbox, observer, responder, limits } = this.parts
    const { origin, target } = request
    const { req, res, client } = origin
    // Fetch, which user handlers are based on, does not support TRACE.
    const handlers = req.method === 'TRACE' ? undefined : userHandlers
    if (handlers && (await this.#handle(request, handlers))) return
    if (!target.address) {
      await this.#servePage(request)
      return
    }
    const response = await respond(request, sandbox, observer)
    responder.send(res, response, isUnread(req, limits), client)
  }

  /** Returns whether a handler of the user has responded. */
  async #handle(request: HttpRequest, handlers: UserListener): Promise<boolean> {
    const { req, res } = request.origin
    const body = await request.readBodyForUser()
    if (body === 'too-large') return false
    const isBelowAddress = request.target.address !== undefined
    try {
      return await handlers(req, res, { request, body, isBelowAddress })
    } catch (error) {
      this.parts.responder.fail(res, new Error(userFailure, { cause: error }), userFailure)
      return true
    }
  }

  async #servePage(request: HttpRequest): Promise<void> {
    const { responder, pages, connections, limits } = this.parts
    const { req, res, client } = request.origin
    // Only a body that has arrived has a known length.
    const isChunked = req.headers['transfer-encoding'] !== undefined && !req.complete
    if (isChunked) await request.readBody()
    if (isUnread(req, limits)) {
      const problem = new Problem('payload_too_large', 'no address accepts a body of this size')
      responder.sendProblem(res, problem, true)
    } else if (req.method === 'TRACE') {
      const problem = new Problem('method_not_allowed', 'no operation has the method TRACE')
      responder.sendOwn(res, toProblemResponse(problem, ['Allow', 'GET, HEAD']), false)
    } else {
      if (connections.isDraining) res.setHeader('Connection', 'close')
      res.setHeader(requestIdHeader, responder.identify(res))
      await pages(req, res)
      if (!res.writableFinished) responder.watch(res, client)
    }
  }
}

const userFailure = 'a user-defined request handler failed'

/**
 * Whether the body has not arrived and is not drained, because it may be large or is not sent. The
 * connection must then be closed after the response.
 */
function isUnread(req: IncomingMessage, limits: HttpLimits): boolean {
  if (req.complete || !hasBody(req)) return false
  const { expect, 'content-length': length } = req.headers
  return expect !== undefined || length === undefined || Number(length) > limits.bodyBytes
}

/**
 * Changes a request target in absolute form to origin form. Its host replaces the Host header (RFC
 * 9112, section 3.2.2).
 *
 * @param origin The scheme and the host of the target.
 */
function toOriginForm(req: IncomingMessage, origin: string): void {
  const rest = (req.url ?? '').slice(origin.length)
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  req.headers.host = origin.slice(origin.indexOf('//') + 2)
}

/** Returns the problem of a malformed request target, or undefined if it is well-formed. */
function findTargetProblem({ url = '' }: IncomingMessage, limits: HttpLimits): Problem | undefined {
  if (url.length > limits.targetLength) {
    return createMalformedProblem(
      'the request target',
      `at most ${limits.targetLength} characters`,
      `${url.length}`,
    )
  }
  if (!url.startsWith('/') || url.startsWith('//')) {
    return createMalformedProblem(
      'the request target',
      'a path that begins with one slash',
      describeValue(url),
    )
  }
  if (!/^[\x21-\x7e]+$/.test(url)) {
    return createMalformedProblem('the request target', 'visible ASCII', describeValue(url))
  }
  return undefined
}

/** Returns the problem of malformed headers, or of a host that is not allowed. */
function findHeaderProblem(
  { headers, httpVersion, rawHeaders }: IncomingMessage,
  { limits, hosts, publicAddress }: Pick<ReceiverParts, 'limits' | 'hosts' | 'publicAddress'>,
): Problem | undefined {
  const { host, expect } = headers
  const hostProblem = findHostProblem({ headers, httpVersion })
  if (hostProblem) return hostProblem
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return createMalformedProblem('the Expect header', '100-continue', describeValue(expect))
  }
  if (rawHeaders.length / 2 > limits.headerCount) {
    const message = `a request must have at most ${limits.headerCount} header lines`
    return new Problem('headers_too_large', message)
  }
  const problem = hosts.findProblem(host)
  return problem ?? (publicAddress.isForwarded ? publicAddress.findProblem(headers) : undefined)
}

/** Returns the problem of a malformed Host header. */
function findHostProblem({
  headers: { host },
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): Problem | undefined {
  // Node joins several Host headers with a comma, which the pattern rejects (RFC 9112, section 3.2).
  if (host === undefined ? httpVersion === '1.0' : hostPattern.test(host)) return undefined
  const found = host === undefined ? 'none' : describeValue(host)
  return createMalformedProblem('the Host header', 'one host with an optional port', found)
}

function createMalformedProblem(part: string, wanted: string, found: string): Problem {
  return new Problem('malformed_request', `${part} must be ${wanted}, found ${found}`)
}

/** Splits a valid request target. */
function readTarget(addresses: readonly ServedAddress[], url: string): RequestTarget {
  const address = findAddress(addresses, url)
  return { address, ...splitTarget(url.slice(address?.httpPath.length ?? 0)) }
}

/** Finds the address of a request target. */
function findAddress(
  addresses: readonly ServedAddress[],
  target: string,
): ServedAddress | undefined {
  return addresses.find(({ httpPath }) => {
    if (!target.startsWith(httpPath)) return false
    const next = target[httpPath.length]
    return next === '/' || next === '?' || next === '#' || next === undefined
  })
}

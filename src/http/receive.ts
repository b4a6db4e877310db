import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressId } from '../contract/addresses.js'
import { Problem } from '../contract/errors.js'
import { type AddressResponder, splitTarget } from '../in-process/operation-handler.js'
import { MemoryAccount } from '../memory/account.js'
import type { Client } from '../pipeline/client.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import { describeValue } from '../validation/validate.js'
import { BodyReader } from './body.js'
import type { HttpConnections } from './connections.js'
import type { AllowedHosts } from './hosts.js'
import type { HttpLimits } from './limits.js'
import { type Responder, toProblemResponse } from './respond.js'
import type { UserListener, UserRequest } from './user-handlers.js'

/** An address that the server serves. */
export interface ServedAddress {
  readonly id: AddressId
  /** Path of the address, without a trailing slash. */
  readonly httpPath: string
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
  readonly respond: AddressResponder
}

/** The parts of a server that a {@link Receiver} needs. */
export interface ReceiverParts {
  readonly addresses: readonly ServedAddress[]
  readonly limits: HttpLimits
  readonly hosts: AllowedHosts
  readonly connections: HttpConnections
  readonly responder: Responder
  /** Handlers that the user added. They receive a request first. */
  readonly userHandlers: UserListener | undefined
  /** Responds to requests outside all addresses. */
  readonly pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

/** A well-formed request with its body. */
interface ReceivedRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly body: ApiRequest['body']
}

/** Receives requests: rejects invalid ones, reads bodies, and passes requests to their handler. */
export class Receiver {
  readonly #bodies: BodyReader

  constructor(readonly parts: ReceiverParts) {
    this.#bodies = new BodyReader(parts.limits.heldBodyBytes)
  }

  /** Responds to a request. Never throws. */
  readonly receive = (req: IncomingMessage, res: ServerResponse): void => {
    this.#guard(res, () => this.#admit(req, res))
  }

  /** Rejects an invalid request. Processes a request without a body or a delay synchronously. */
  #admit(req: IncomingMessage, res: ServerResponse): void {
    const { connections, limits, hosts, responder } = this.parts
    connections.begin(req.socket, res)
    if (connections.isExcess(req.socket)) {
      responder.sendProblem(res, createCapacityProblem(`${limits.connections} connections`), true)
      return
    }
    const problem = findProblem(req, limits) ?? hosts.findProblem(req.headers.host)
    if (problem) responder.sendProblem(res, problem, hasBody(req))
    else if (hasBody(req)) this.#readBody(req, res)
    else this.#dispatch({ req, res, body: undefined })
  }

  #readBody(req: IncomingMessage, res: ServerResponse): void {
    const { limits, responder, addresses, userHandlers } = this.parts
    const accepted = findAddress(addresses, req.url ?? '')?.bodyLimit ?? 0
    const drained = Math.max(limits.bodyBytes, accepted)
    const bounds = { buffered: userHandlers ? drained : accepted, drained }
    this.#bodies.read(req, res, bounds, (body) => {
      this.#guard(res, () => {
        if (body !== 'no-capacity') this.#dispatch({ req, res, body })
        else
          responder.sendProblem(
            res,
            createCapacityProblem(`${limits.heldBodyBytes} bytes of buffered bodies`),
            true,
          )
      })
    })
  }

  #dispatch(received: ReceivedRequest): void {
    const { responder, userHandlers } = this.parts
    const { req, res, body } = received
    // Fetch, which user handlers are based on, does not support TRACE.
    if (!userHandlers || body === 'too-large' || req.method === 'TRACE') {
      this.#serve(received)
      return
    }
    userHandlers(req, res, this.#toUserRequest(received))
      .then(
        (isHandled) => isHandled || this.#serve(received),
        (cause) => responder.fail(res, new Error(userFailure, { cause }), userFailure),
      )
      .catch((error) => responder.fail(res, error))
  }

  #toUserRequest({ req, body }: ReceivedRequest): UserRequest {
    const address = findAddress(this.parts.addresses, req.url ?? '')
    const client = createClient(req, this.parts.hosts)
    const request = new HttpRequest(req, address ?? outside, body, client)
    return { request, isBelowAddress: address !== undefined }
  }

  #serve(received: ReceivedRequest): void {
    const address = findAddress(this.parts.addresses, received.req.url ?? '')
    if (address) this.#serveAddress(received, address)
    else this.#servePage(received)
  }

  #serveAddress(received: ReceivedRequest, address: ServedAddress): void {
    const { responder, hosts } = this.parts
    const { req, res, body } = received
    const isTooLarge = body instanceof Uint8Array && body.byteLength > address.bodyLimit
    const client = createClient(req, hosts)
    const request = new HttpRequest(req, address, isTooLarge ? 'too-large' : body, client)
    const response = address.respond(request)
    const send = (ready: ApiResponse) => responder.send(res, ready, isPartlyRead(received))
    if (!(response instanceof Promise)) send(response)
    else response.then(send).catch((error) => responder.fail(res, error))
  }

  #servePage(received: ReceivedRequest): void {
    const { responder, pages, connections } = this.parts
    const { req, res } = received
    if (isPartlyRead(received)) {
      const problem = new Problem('payload_too_large', 'no address accepts a body of this size')
      responder.sendProblem(res, problem, true)
    } else if (req.method === 'TRACE') {
      const problem = new Problem('method_not_allowed', 'no operation has the method TRACE')
      responder.send(res, toProblemResponse(problem, ['Allow', 'GET, HEAD']), false)
    } else {
      if (connections.isClosing) res.setHeader('Connection', 'close')
      pages(req, res).catch((error) => responder.fail(res, error))
    }
  }

  #guard(res: ServerResponse, action: () => void): void {
    try {
      action()
    } catch (error) {
      this.parts.responder.fail(res, error)
    }
  }
}

const userFailure = 'a user-defined request handler failed'

/** Whether part of the body is unread. The connection must then be closed after the response. */
function isPartlyRead({ req, body }: ReceivedRequest): boolean {
  return body === 'too-large' && !req.complete
}

const hostPattern = /^(?:[\w.~-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/

/** Returns the problem of a malformed request, or undefined if it is well-formed. */
function findProblem(req: IncomingMessage, limits: HttpLimits): Problem | undefined {
  const { url = '', headers, httpVersion, rawHeaders } = req
  const { host, expect } = headers
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
  // Node joins several Host headers with a comma, which the pattern rejects (RFC 9112, section 3.2).
  if (host === undefined ? httpVersion !== '1.0' : !hostPattern.test(host)) {
    return createMalformedProblem(
      'the Host header',
      'one host with an optional port',
      host === undefined ? 'none' : describeValue(host),
    )
  }
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return createMalformedProblem('the Expect header', '100-continue', describeValue(expect))
  }
  if (rawHeaders.length / 2 <= limits.headerCount) return undefined
  return new Problem(
    'headers_too_large',
    `a request must have at most ${limits.headerCount} header lines`,
  )
}

function createMalformedProblem(part: string, wanted: string, found: string): Problem {
  return new Problem('malformed_request', `${part} must be ${wanted}, found ${found}`)
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

function createCapacityProblem(limit: string): Problem {
  const message = `the sandbox is at its limit of ${limit}; this is not a limit of the service`
  return new Problem('sandbox_capacity', message)
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

/** Where a request outside all addresses is: its path is that of the server. */
const outside = { id: 'api', httpPath: '' } as const

/** Creates the client of a request. It has no limits yet. */
function createClient({ socket }: IncomingMessage, hosts: AllowedHosts): Client {
  return {
    address: socket.remoteAddress ?? '',
    isLocal: hosts.isLocal,
    memory: new MemoryAccount({ owner: 'this client', limit: Number.POSITIVE_INFINITY }),
    chargeWorld() {},
    chargeControlRequest() {},
    openStream: () => () => {},
  }
}

/** An HTTP request in the form that the pipeline expects. */
class HttpRequest implements ApiRequest {
  readonly method: string
  readonly address: AddressId
  readonly path: string
  readonly query: string
  readonly #headers: IncomingHttpHeaders

  constructor(
    req: IncomingMessage,
    address: Pick<ServedAddress, 'id' | 'httpPath'>,
    readonly body: ApiRequest['body'],
    readonly client: Client,
  ) {
    const { path, query } = splitTarget((req.url ?? '').slice(address.httpPath.length))
    this.method = req.method ?? 'GET'
    this.address = address.id
    this.path = path
    this.query = query
    this.#headers = req.headers
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  forEachHeader(visit: (name: string, value: string) => void): void {
    for (const name in this.#headers) {
      const value = this.header(name)
      if (value !== undefined) visit(name, value)
    }
  }
}

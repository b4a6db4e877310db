import { METHODS, Server, type ServerOptions, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { Clients } from './clients.js'
import { HttpConnections } from './connections.js'
import { AllowedHosts, type HostOptions, isLoopback } from './hosts.js'
import { PublicAddress } from './public-address.js'
import { type PageListener, Receiver, type ReceiverParts } from './receive.js'
import { endSocket, Responder, toProblemResponse } from './respond.js'

/** The parts of a {@link NodeServer}. */
export interface NodeServerParts
  extends Omit<ReceiverParts, 'connections' | 'responder' | 'hosts' | 'publicAddress' | 'pages'> {
  readonly hostOptions: HostOptions
  readonly createPages: (context: PagesContext) => PageListener
  readonly reportError: (error: unknown) => void
}

/** Parts that a server creates and its pages need. */
export interface PagesContext {
  readonly publicAddress: PublicAddress
  readonly clients: Clients
}

/** Node's HTTP server with the limits of the sandbox. No request can end the process. */
export class NodeServer extends Server {
  readonly openConnections: HttpConnections
  /** Whether idle connections stay open until their keep-alive timeout after the server is closed. */
  keepsIdle = false

  constructor(parts: NodeServerParts) {
    const { limits, reportError, hostOptions, sandbox } = parts
    super(toNodeOptions(limits))
    const hosts = new AllowedHosts(hostOptions)
    const clients = new Clients(sandbox, limits, () => hosts.isLocal)
    // Replicas share worlds, and must not share the numbers of connections.
    const firstNumber = Number.parseInt(sandbox.randomLabel().slice(0, 12), 16)
    const connections = new HttpConnections(clients, limits, firstNumber)
    const responder = new Responder({
      ...parts,
      connections,
      createRequestId: () => sandbox.createRequestId(),
    })
    const publicAddress = new PublicAddress(hostOptions.publicUrl, limits.trustedProxies, hosts)
    const pages = parts.createPages({ publicAddress, clients })
    const receiverParts = { ...parts, connections, hosts, publicAddress, responder, pages }
    const { receive } = new Receiver(receiverParts)
    const invalid = new InvalidRequests(connections, limits, responder)
    this.openConnections = connections
    // Also closes the connections of clients that never read their response.
    this.timeout = limits.idleTimeoutMs
    // Node silently drops header lines beyond this number. The receiver rejects the additional one.
    this.maxHeadersCount = limits.headerCount + 1
    this.on('listening', () => {
      const address = this.address()
      hosts.isLocal = typeof address === 'object' && isLoopback(address?.address ?? '')
    })
    this.on('connection', (socket) => connections.open(socket))
    this.on('request', receive)
    // The receiver validates Expect, and sends 100 Continue only if it reads the body.
    this.on('checkContinue', receive)
    this.on('checkExpectation', receive)
    // The connections of a plain HTTP server are sockets.
    this.on('clientError', (error, socket) => invalid.reject(error, socket as Socket))
    this.on('connect', (_req, socket) => invalid.rejectTunnel(socket as Socket))
    this.on('error', (error) => {
      if (this.listening) reportError(error)
    })
  }

  /**
   * Closes idle connections, and busy ones after their response. Node's own implementation, which
   * `close()` calls, would discard a response that is written but not yet sent.
   */
  override closeIdleConnections(): void {
    this.openConnections.drain()
    // A load balancer may be sending a request on a connection that is idle here.
    if (!this.keepsIdle) this.openConnections.closeIdle()
  }
}

function toNodeOptions(limits: HttpLimits): ServerOptions {
  const { headersTimeoutMs, requestTimeoutMs } = limits
  return {
    // The receiver rejects a missing or repeated Host header, and must see repeated headers.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    maxHeaderSize: limits.headerBytes,
    // Node rejects a headersTimeout above requestTimeout.
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs / 2, requestTimeoutMs / 2, 5_000),
  }
}

/** The error of a `clientError` event: Node could not read a complete request. */
interface ClientError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** Codes of a client that disconnected, at once or in the middle of a request. */
const disconnections: readonly string[] = ['ECONNRESET', 'HPE_INVALID_EOF_STATE']

/** Responds to bytes that are not a valid HTTP request, and closes their connection. */
class InvalidRequests {
  readonly #rejected = new WeakSet<Socket>()

  constructor(
    readonly connections: HttpConnections,
    readonly limits: HttpLimits,
    readonly responder: Responder,
  ) {}

  /**
   * Handles a `clientError` event. Does not write into the response of another request: waits until
   * it has been sent, or closes the connection if the request of that response is incomplete.
   */
  reject(error: ClientError, socket: Socket): void {
    if (this.#rejected.has(socket)) return
    this.#rejected.add(socket)
    if (!socket.writable || disconnections.includes(error.code ?? '')) {
      socket.destroy()
      return
    }
    const problem = toProblem(error, this.limits)
    const res = this.connections.latest(socket)
    if (!res) this.#end(socket, problem)
    else if (res.req.complete) res.once('close', () => this.#end(socket, problem))
    else if (res.headersSent) socket.destroy()
    else {
      this.connections.abort(socket)
      this.responder.sendProblem(res, problem, true)
    }
  }

  /** Handles a `connect` event. Tunnels are not supported. */
  rejectTunnel(socket: Socket): void {
    this.#end(socket, new Problem('method_not_allowed', 'no operation has the method CONNECT'))
  }

  #end(socket: Socket, problem: Problem): void {
    if (!socket.writable) return
    const allow = problem.code === 'method_not_allowed' ? ['Allow', 'GET, HEAD'] : []
    const requestId = [requestIdHeader, this.responder.parts.createRequestId()]
    const added = ['Connection', 'close', ...allow, ...requestId]
    const { status, headers, body } = toProblemResponse(problem, added)
    const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    const bytes = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body?.text ?? ''}`
    endSocket(socket, bytes, this.limits.lingerMs)
  }
}

function toProblem(error: ClientError, limits: HttpLimits): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        `the header section must be at most ${limits.headerBytes} bytes`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'the chunk extensions of the body are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'the request did not arrive in time')
    case 'HPE_INVALID_METHOD':
      return toMethodProblem(error.rawPacket)
    default:
      return new Problem('malformed_request', `not a valid HTTP/1.1 request: ${error.message}`)
  }
}

/** Distinguishes an unknown method from bytes that are not HTTP. */
function toMethodProblem(packet: Buffer | undefined): Problem {
  const [, method] = /^([A-Z-]{1,20}) \S/.exec(packet?.toString('latin1', 0, 64) ?? '') ?? []
  // If the method is known, the packet has a valid request before the invalid bytes.
  if (method && !METHODS.includes(method)) {
    return new Problem('method_not_allowed', `no operation has the method ${method}`)
  }
  return new Problem(
    'malformed_request',
    'a request must begin with a method; this address accepts plain HTTP/1.1',
  )
}

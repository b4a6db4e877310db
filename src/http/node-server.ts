import { Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { ServedAddress } from './addresses.js'
import { HttpConnections } from './connections.js'
import { Dispatcher, type DispatchParts } from './dispatch.js'
import type { HttpLimits } from './limits.js'
import { BrokenRequests } from './malformed.js'
import { HttpFront } from './receive.js'
import { HttpReplies } from './replies.js'

/** What a server is made of. */
export interface HttpServerParts extends DispatchParts {
  readonly addresses: readonly ServedAddress[]
  readonly limits: HttpLimits
  readonly reportError: (error: unknown) => void
}

/** A server of Node with the front of the sandbox and its limits; nothing ends the process. */
export class GuardedServer extends Server {
  readonly openConnections: HttpConnections

  constructor(parts: HttpServerParts) {
    const { limits, reportError } = parts
    super(toNodeOptions(limits))
    const connections = new HttpConnections(limits.connections)
    const replies = new HttpReplies({ ...parts, connections })
    const dispatcher = new Dispatcher(parts, replies)
    const front = new HttpFront({ ...parts, connections, replies, dispatcher })
    const broken = new BrokenRequests(connections, limits)
    this.openConnections = connections
    this.maxConnections = limits.connections * 2
    // A reader that never reads would otherwise keep its connection for ever.
    this.timeout = limits.idleTimeoutMs
    this.maxHeadersCount = limits.headerCount + 1
    this.on('connection', (socket) => connections.open(socket))
    this.on('request', front.answer)
    // The front looks at Expect itself, and asks for a body only when it reads it.
    this.on('checkContinue', front.answer)
    this.on('checkExpectation', front.answer)
    // What a server of plain HTTP accepts are sockets.
    this.on('clientError', (error, socket) => broken.refuse(error, socket as Socket))
    this.on('connect', (_req, socket) => broken.refuseTunnel(socket as Socket))
    this.on('error', (error) => {
      if (this.listening) reportError(error)
    })
  }

  /**
   * Ends the idle connections, and the busy ones after their answers. Node's own, which `close()`
   * calls, would cut off an answer that is written but not yet sent.
   */
  override closeIdleConnections(): void {
    this.openConnections.endIdle()
  }
}

function toNodeOptions(limits: HttpLimits): ServerOptions {
  const { headersTimeoutMs, requestTimeoutMs } = limits
  return {
    // The front answers a Host that is missing or doubled, and sees every doubled header.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    maxHeaderSize: limits.headerBytes,
    // Node refuses to wait longer for the headers than for all of a request.
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs / 2, requestTimeoutMs / 2, 5_000),
  }
}

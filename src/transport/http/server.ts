import { once } from 'node:events'
import { Server } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { type HttpLimitOptions, toHttpLimits, worldsBytes } from '../../service/bounds.js'
import { maximumDelayMs } from '../../service/timers.js'
import { readErrorField } from '../../service/validation/message.js'
import { checkOptions, nonEmptyString, toInteger, toOptionsSchema } from '../in-process/options.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { isLoopback } from './hosts.js'
import { InvalidRequests } from './invalid-requests.js'
import { Middleware, type MiddlewareParts } from './middleware.js'
import { Metrics } from './respond.js'

/** Options of {@link SandboxServer.listen}. */
export interface ListenOptions {
  /** TCP port. 0 selects a free port. Default: 4010. */
  readonly port?: number | undefined
  /** Host name or IP address. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined
}

/** Options of {@link SandboxServer.close}. */
export interface CloseOptions {
  /**
   * Time for which requests are still accepted while `/readyz` responds with 503, in milliseconds.
   * Lets a load balancer stop sending requests. Idle connections then stay open until they have been
   * idle for `keepAliveTimeoutMs`; without a notice, they are closed at once. Default: 0.
   */
  readonly noticeMs?: number | undefined
  /** Maximum time to wait for pending responses, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

const listenSchema = toOptionsSchema({
  port: toInteger(0, 65_535),
  // Node listens on all addresses if the host is empty.
  host: nonEmptyString,
} satisfies Record<keyof ListenOptions, unknown>)

const closeSchema = toOptionsSchema({
  noticeMs: toInteger(0, maximumDelayMs),
  timeoutMs: toInteger(0, maximumDelayMs),
} satisfies Record<keyof CloseOptions, unknown>)

/** The parts of a {@link SandboxServer}. */
export interface SandboxServerParts<Served>
  extends Pick<MiddlewareParts, 'handlers' | 'hosts' | 'consoleDirectory'> {
  readonly sandbox: Served & Pick<MiddlewareParts, 'core'>
  readonly limits: HttpLimitOptions
  /** Counts what the server does. Default: new metrics. */
  readonly metrics?: Metrics | undefined
}

/** An HTTP server for a sandbox. */
export class SandboxServer<Served = InProcessSandbox> {
  /** The sandbox that processes the requests. */
  readonly sandbox: Served
  readonly #middleware: Middleware
  readonly #listener: Server
  #opening: Promise<string> | undefined
  #closed: Promise<void> | undefined

  /** @internal */
  constructor({ sandbox, limits, metrics = new Metrics(), ...rest }: SandboxServerParts<Served>) {
    const { core } = sandbox
    this.sandbox = sandbox
    const parts = { ...rest, core, metrics, limits: toHttpLimits(limits), pages: true }
    this.#middleware = new Middleware(parts)
    this.#listener = createListener(this.#middleware)
  }

  /**
   * Starts listening. May be called again after a failure, but not after `close()`.
   *
   * @returns The URL of the server, such as `http://127.0.0.1:4010`.
   * @throws {Error} If the server cannot listen, for example because the port is in use.
   * @throws {TypeError} If an option is unknown or invalid.
   */
  async listen(options: ListenOptions = {}): Promise<string> {
    if (this.#middleware.isClosing)
      throw new Error('cannot listen: the server is closed; create another one')
    if (this.#opening !== undefined) {
      throw new Error('cannot listen: the server is already listening; create another one')
    }
    this.#opening = listen(this.#listener, options)
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  /**
   * Stops accepting connections, after the notice. Resolves when all pending responses have been
   * sent and all connections are closed, or the timeout has elapsed. Later calls return the same promise.
   *
   * @throws {TypeError} If an option is unknown or invalid. The server then stays open.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    checkOptions(closeSchema, options, 'close')
    this.#closed ??= this.#close(options)
    return this.#closed
  }

  async #close({ noticeMs = 0, timeoutMs = 10_000 }: CloseOptions): Promise<void> {
    const { connections, responder } = this.#middleware
    this.#middleware.isClosing = true
    // Node cannot close a server during the host lookup: it would listen afterwards.
    await this.#opening?.catch(() => undefined)
    if (noticeMs > 0) await this.#middleware.parts.core.settings.platform.sleep(noticeMs)
    responder.isDraining = true
    this.#middleware.endWaits()
    // Node's own implementation would discard a response that is written but not yet sent. After a
    // notice, a load balancer may be sending a request on a connection that is idle here.
    this.#listener.closeIdleConnections = () => {
      if (noticeMs === 0) connections.closeIdle()
    }
    const timer = setTimeout(() => this.#listener.closeAllConnections(), timeoutMs)
    // The only possible error is that the server is not listening, so it is ignored.
    await new Promise<void>((resolve) => this.#listener.close(() => resolve()))
    clearTimeout(timer)
    void this.#middleware.close()
  }
}

/** Creates our own listener around a middleware, with limits for connections. No request can end the process. */
function createListener(middleware: Middleware): Server {
  const { connections, clients } = middleware
  const { limits, sandbox } = clients
  const { headersTimeoutMs, requestTimeoutMs } = limits
  const server = new Server({
    // The middleware rejects a missing or repeated Host header, and must see repeated headers.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    maxHeaderSize: limits.headerBytes,
    // Node rejects a headersTimeout above requestTimeout.
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs / 2, requestTimeoutMs / 2, 1_000),
  })
  const invalid = new InvalidRequests(middleware)
  // Also closes the connections of clients that never read their responses.
  server.timeout = limits.idleTimeoutMs
  // Node silently drops header lines beyond this number. The middleware rejects one additional line.
  server.maxHeadersCount = limits.headerCount + 1
  server.on('listening', () => {
    const address = server.address()
    clients.isLocal = typeof address === 'object' && isLoopback(address?.address ?? '')
  })
  server.on('connection', (socket) => connections.open(socket))
  server.on('request', middleware.receive)
  // The middleware validates Expect, and sends 100 Continue only if it reads the body.
  server.on('checkContinue', middleware.receive)
  server.on('checkExpectation', middleware.receive)
  // The connections of a plain HTTP server are sockets.
  server.on('clientError', (error, socket) => invalid.reject(error, socket as Socket))
  server.on('connect', (_req, socket) => invalid.rejectTunnel(socket as Socket))
  server.on('error', (error) => {
    if (server.listening) sandbox.settings.platform.reportError(error)
  })
  return server
}

async function listen(server: Server, options: ListenOptions): Promise<string> {
  checkOptions(listenSchema, options, 'listen')
  // The first control request need not wait for it.
  await import('../../engine/control.js')
  const { port = 4010, host = '127.0.0.1' } = options
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw new Error(`cannot listen on ${host}:${port}: ${toReason(error)}`, { cause: error })
  }
  return toUrl(server, host)
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; stop the program that uses it, or choose another port',
  EACCES: 'no permission for this port; choose a port above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address; try 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: 'the host has no known address; try 127.0.0.1 or 0.0.0.0',
  EAI_AGAIN: 'the host lookup failed temporarily; try 127.0.0.1 or 0.0.0.0',
}

function toReason(error: unknown): string {
  const code = readErrorField(error, 'code') ?? ''
  return reasons[code] ?? readErrorField(error, 'message') ?? String(error)
}

/** Returns the URL at which this machine can reach the server. */
function toUrl(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Returns the maximum size of the worlds of a server, in bytes: at most half of the heap limit of the
 * process, which leaves the rest for everything else.
 */
export function toMaxMemory(wanted: number = worldsBytes): number {
  return Math.min(wanted, Math.floor(getHeapStatistics().heap_size_limit / 2))
}

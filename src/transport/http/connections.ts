import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AddressId } from '../../service/addresses.js'
import type { HttpLimits } from '../../service/bounds.js'
import { startImmediate } from '../../service/timers.js'
import type { FactConnection } from '../../world/journal/facts.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { Clients, HttpClient } from './clients.js'

/** An address that the server serves. */
export interface ServedAddress {
  readonly id: AddressId
  /** Path of the address, without a trailing slash. */
  readonly httpPath: string
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
}

/** A request that waits for the responses before its own. */
interface WaitingRequest {
  readonly res: ServerResponse
  /** Its memory. */
  readonly bytes: number
  readonly begin: () => void
}

/** Size of a request without its headers, in bytes. */
const requestBytes = 2_048

/** Estimates the memory of a request that waits. Node has its headers twice. */
export function estimateHeaderBytes({ rawHeaders }: IncomingMessage): number {
  return requestBytes + 2 * rawHeaders.reduce((sum, text) => sum + text.length, 0)
}

/** An open connection. */
export class Connection {
  #response: ServerResponse | undefined
  /** Requests that have arrived while a response is unfinished, in their order. */
  #waiting: WaitingRequest[] = []
  #isAborted = false
  /** Mostly empty or a single listener. */
  #closeListeners: (() => void)[] = []

  /**
   * @param line Shows its number, and later when it has ended.
   * @param isExcess Whether the client had too many connections when this one was opened.
   */
  constructor(
    readonly line: FactConnection,
    readonly socket: Socket,
    readonly client: HttpClient,
    readonly limits: HttpLimits,
    readonly isExcess: boolean,
  ) {
    const end = () => {
      this.line.ended ??= takeOrder()
    }
    // The client ends it before it opens the next one.
    socket.once('end', end)
    socket.once('close', () => {
      end()
      this.abort()
    })
  }

  /** The response to the latest request, if it is unfinished. */
  get latest(): ServerResponse | undefined {
    const waiting = this.#waiting.at(-1)
    if (waiting) return waiting.res
    return this.#response?.writableFinished ? undefined : this.#response
  }

  /**
   * Begins a request when the responses to those before it have been handed to the operating system.
   * Node emits all requests that one read contains at once. Closes the connection if too many wait:
   * a socket that is not read would not show that its client disconnects.
   */
  receive(res: ServerResponse, begin: () => void): void {
    const { latest } = this
    if (!latest) {
      this.#response = res
      begin()
      return
    }
    const bytes = estimateHeaderBytes(res.req)
    const isFull = this.#waiting.length >= this.limits.pipelinedRequests
    if (isFull || !this.client.clients.waiting.tryAdd(this.client, bytes)) {
      this.socket.destroy()
      return
    }
    if (this.#waiting.length === 0) this.#beginNextAfter(latest)
    this.#waiting.push({ res, bytes, begin })
  }

  /** Begins the next request in another turn of the event loop, so that other connections do not wait. */
  #beginNextAfter(res: ServerResponse): void {
    res.once('finish', () => startImmediate(() => this.#beginNext()))
  }

  #beginNext(): void {
    const next = this.#waiting.shift()
    if (!next) return
    this.#release(next)
    if (this.#waiting.length > 0) this.#beginNextAfter(next.res)
    // The time for the client to read the response before has ended.
    this.socket.setTimeout(this.limits.idleTimeoutMs)
    this.#response = next.res
    next.begin()
  }

  #release({ bytes }: WaitingRequest): void {
    this.client.clients.waiting.remove(this.client, bytes)
  }

  /** Whether the connection is closed, or the client stopped in the middle of a request. */
  get isAborted(): boolean {
    return this.#isAborted || this.socket.destroyed
  }

  /** Ends all pending requests. They send nothing; the caller closes the connection. */
  abort(): void {
    this.#isAborted = true
    for (const waiting of this.#waiting) this.#release(waiting)
    this.#waiting = []
    const listeners = this.#closeListeners
    this.#closeListeners = []
    for (const listener of listeners) listener()
  }

  /**
   * Calls the listener when the connection is aborted or closed. Returns a function that removes it.
   * Node emits no `close` event for a pipelined response whose turn has not come.
   */
  onAbort(listener: () => void): () => void {
    this.#closeListeners.push(listener)
    return () => {
      const at = this.#closeListeners.indexOf(listener)
      if (at >= 0) this.#closeListeners.splice(at, 1)
    }
  }
}

/** The open connections of a server. */
export class HttpConnections {
  readonly #connections = new Map<Socket, Connection>()
  readonly #streams = new Set<ServerResponse>()
  #isClosing = false
  readonly #firstNumber: number
  #lastNumber: number
  #isDraining = false

  /** @param firstNumber Number of the first connection. Random, if other processes have others. */
  constructor(
    readonly clients: Clients,
    readonly limits: HttpLimits,
    firstNumber = 1,
  ) {
    this.#firstNumber = firstNumber
    this.#lastNumber = firstNumber - 1
  }

  /** Whether the server is closing, so that load balancers should send no more requests. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Marks the server as closing. Requests are still served. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /** Whether each connection must be closed after its next response. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Closes event streams, and all other connections after their next response. */
  drain(): void {
    this.#isDraining = true
    for (const res of this.#streams) res.end()
  }

  /**
   * Tracks a new connection until it closes. If there are too many, closes one of the client that
   * has the most.
   */
  open(socket: Socket): void {
    const { connections, clientConnections, trustedProxies } = this.limits
    if (this.#connections.size >= connections) this.#closeOne()
    const client = this.clients.find(socket.remoteAddress)
    const isExcess = trustedProxies === 0 && client.connections >= clientConnections
    client.connections += 1
    if (isExcess) limitExcess(client, socket)
    this.#lastNumber += 1
    const line = { number: this.#lastNumber, server: this.#firstNumber }
    const connection = new Connection(line, socket, client, this.limits, isExcess)
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      client.connections -= 1
      client.excess.delete(socket)
      this.#connections.delete(socket)
    })
  }

  /** Returns the connection of a response. Undefined if it has closed. */
  find(res: ServerResponse): Connection | undefined {
    return this.#connections.get(res.req.socket)
  }

  /** Ends the pending requests of a connection whose client stopped in the middle of a request. */
  abort(socket: Socket): void {
    this.#connections.get(socket)?.abort()
  }

  /** Tracks an event stream, which ends only when the client or the server closes it. */
  beginStream(res: ServerResponse): void {
    this.#streams.add(res)
    res.once('close', () => this.#streams.delete(res))
  }

  /** Returns the last unfinished response of a connection, or undefined if the connection is idle. */
  latest(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.latest
  }

  /** Closes idle connections, and all other connections after their response. */
  closeIdle(): void {
    for (const socket of this.#connections.keys()) this.#closeWhenIdle(socket)
  }

  /** Destroys all connections. */
  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy()
  }

  #closeWhenIdle(socket: Socket): void {
    const res = this.latest(socket)
    if (res) res.once('close', () => this.#closeWhenIdle(socket))
    else socket.destroySoon()
  }

  /** Closes the oldest idle connection of the heaviest client, or else its oldest one. */
  #closeOne(): void {
    const client = this.clients.heaviest()
    let oldest: Socket | undefined
    for (const [socket, connection] of this.#connections) {
      if (connection.client !== client || socket.destroyed) continue
      oldest ??= socket
      if (this.latest(socket)) continue
      oldest = socket
      break
    }
    oldest?.destroy()
  }
}

/** Number of connections beyond the limit of a client that stay open until they get a response. */
const maximumExcess = 500

/** Adds a connection beyond the limit of a client, and closes the oldest one if there are many. */
function limitExcess({ excess }: HttpClient, socket: Socket): void {
  if (excess.size >= maximumExcess) {
    const [oldest] = excess
    if (oldest) excess.delete(oldest)
    oldest?.destroy()
  }
  excess.add(socket)
}

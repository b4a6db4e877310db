import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiRequest, ApiResponse, RepeatedHeaders } from '../../engine/message.js'
import type { AddressId } from '../../service/addresses.js'
import { startImmediate } from '../../service/timers.js'
import type { FactConnection } from '../../world/journal/facts.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { Clients, HttpClient } from './clients.js'
import type { HttpLimits } from './limits.js'

/** An address that the server serves. */
export interface ServedAddress {
  readonly id: AddressId
  /** Path of the address, without a trailing slash. */
  readonly httpPath: string
  /** Largest accepted body, in bytes. */
  readonly bodyLimit: number
  /** Never throws or rejects. */
  readonly respond: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>
}

/** State of a header section that a connection sends repeatedly. */
export interface ConnectionHeaders extends RepeatedHeaders {
  /** Name, value, name, value. */
  readonly raw: readonly string[]
  /** Whether the headers were checked and are valid. */
  isValid: boolean
  /** The latest valid request target, unless it is long. */
  target?: RequestTarget
}

/** A valid request target. */
export interface RequestTarget {
  /** As sent. */
  readonly url: string
  /** Undefined for a target outside all addresses. */
  readonly address: ServedAddress | undefined
  /** Path below the base address, without the query. */
  readonly path: string
  readonly query: string
}

/** Maximum length of a header section that a connection remembers, in characters. */
const maximumHeaders = 1_024
/** Heap of a remembered header section, with what the journal retains of it, in bytes. */
const headerBytes = 4_096

/** Number of requests after which a connection waits for the others. */
const requestsPerTurn = 32

/** An open connection. */
export class Connection {
  #response: ServerResponse | undefined
  #pendingCount = 0
  #requestCount = 0
  /** Whether nothing is read until the next turn of the event loop. */
  #isWaiting = false
  #isAborted = false
  /** Mostly empty or a single listener. */
  #closeListeners: (() => void)[] = []
  #headers: ConnectionHeaders | undefined
  /** Length of the latest header section. */
  #characters = 0

  /**
   * @param line Shows its number, and later when it has ended.
   * @param isExcess Whether the client had too many connections when this one was opened.
   */
  constructor(
    readonly line: FactConnection,
    readonly socket: Socket,
    readonly client: HttpClient,
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
    // Node resumes the socket after each request.
    socket.on('resume', () => {
      if (this.#isWaiting) socket.pause()
    })
  }

  /** The latest response, if it is unfinished. */
  get current(): ServerResponse | undefined {
    return this.#response?.writableFinished ? undefined : this.#response
  }

  /** Number of requests without a finished response. */
  get pendingCount(): number {
    return this.current ? this.#pendingCount : 0
  }

  /** Adds the response to a new request. */
  begin(res: ServerResponse): void {
    // Responses are sent in order: if the latest is finished, all are.
    this.#pendingCount = this.pendingCount + 1
    this.#response = res
    this.#requestCount += 1
    if (this.#requestCount % requestsPerTurn === 0) this.#waitForOthers()
  }

  /**
   * Reads nothing until the next turn of the event loop. A client may send requests without waiting
   * for the responses, and libuv would read two megabytes of them before it serves another connection.
   */
  #waitForOthers(): void {
    this.#isWaiting = true
    this.socket.pause()
    startImmediate(() => {
      this.#isWaiting = false
      this.socket.resume()
    })
  }

  /**
   * Returns the state that successive requests with the same headers share. Undefined for the first
   * of them, so that a connection with few requests retains no headers, and if there is no
   * memory for it.
   */
  recognizeHeaders(rawHeaders: readonly string[]): ConnectionHeaders | undefined {
    const { memory } = this.client
    if (this.#headers && isEqual(this.#headers.raw, rawHeaders)) return this.#headers
    const characters = countCharacters(rawHeaders)
    const isRepeated = characters === this.#characters
    this.#characters = characters
    if (!isRepeated || characters > maximumHeaders) return undefined
    if (!this.#headers) {
      if (this.isAborted || !memory.tryReserve('request headers', headerBytes)) return undefined
      this.onAbort(() => memory.release('request headers', headerBytes))
    }
    this.#headers = { raw: rawHeaders, isValid: false }
    return this.#headers
  }

  /** Whether the connection is closed, or the client stopped in the middle of a request. */
  get isAborted(): boolean {
    return this.#isAborted || this.socket.destroyed
  }

  /** Ends all pending requests. They send nothing; the caller closes the connection. */
  abort(): void {
    this.#isAborted = true
    const listeners = this.#closeListeners
    this.#closeListeners = []
    for (const listener of listeners) listener()
  }

  /**
   * Calls the listener when the connection is aborted or closed. Returns a function that removes it. Node emits no
   * `close` event for a pipelined response whose turn has not come.
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
    const connection = new Connection(line, socket, client, isExcess)
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      client.connections -= 1
      client.excess.delete(socket)
      this.#connections.delete(socket)
    })
  }

  /** Records the latest response of a connection. Returns undefined if the connection has closed. */
  begin(res: ServerResponse): Connection | undefined {
    const connection = this.#connections.get(res.req.socket)
    connection?.begin(res)
    return connection
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

  /** Returns the unfinished response of a connection, or undefined if the connection is idle. */
  current(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.current
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
    const res = this.current(socket)
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
      if (this.current(socket)) continue
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

function isEqual(first: readonly string[], second: readonly string[]): boolean {
  if (first.length !== second.length) return false
  for (let at = 0; at < first.length; at++) if (first[at] !== second[at]) return false
  return true
}

function countCharacters(texts: readonly string[]): number {
  let characters = 0
  for (const text of texts) characters += text.length
  return characters
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from '../../service/bounds.js'
import { startImmediate } from '../../service/timers.js'
import type { FactConnection } from '../../world/journal/facts.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { Clients, HttpClient } from './clients.js'

/** A request that waits for the responses before its own. */
interface WaitingRequest {
  readonly res: ServerResponse
  /** Its memory. */
  readonly bytes: number
}

/** Size of a request without its headers, in bytes. */
const requestBytes = 2_048

/** Estimates the memory of a request that waits. Node has its headers twice. */
export function estimateHeaderBytes({ rawHeaders }: IncomingMessage): number {
  return requestBytes + 2 * rawHeaders.reduce((sum, text) => sum + text.length, 0)
}

/** An open connection. */
export interface Connection {
  /** Shows its number, and later when it has ended. */
  readonly line: FactConnection
  readonly client: HttpClient
  /** Whether it is one of our own listener, which leaves `Expect: 100-continue` to the sandbox. */
  readonly isOwn: boolean
  /** Whether the client had too many connections when this one was opened. */
  readonly isExcess: boolean
  /** The response to the latest request that has begun. */
  response: ServerResponse | undefined
  /** Requests that have arrived while a response is unfinished, in their order. */
  readonly waiting: WaitingRequest[]
}

/** The connections of a server, or those on which a mounted sandbox has received a request. */
export class HttpConnections {
  readonly #connections = new Map<Socket, Connection>()
  readonly #firstNumber: number
  #lastNumber: number

  /**
   * @param firstNumber Number of the first connection. Random: other processes have others.
   * @param respond Responds to a request whose turn has come.
   */
  constructor(
    readonly clients: Clients,
    readonly limits: HttpLimits,
    firstNumber: number,
    readonly respond: (
      req: IncomingMessage,
      res: ServerResponse,
      connection: Connection,
    ) => Promise<void>,
  ) {
    this.#firstNumber = firstNumber
    this.#lastNumber = firstNumber - 1
  }

  /**
   * Tracks a new connection of our own listener until it closes. If there are too many, closes one of
   * the client that has the most.
   */
  open(socket: Socket): void {
    const { connections, clientConnections, trustedProxies } = this.limits
    if (this.#connections.size >= connections) this.#closeOne()
    const client = this.clients.find(socket.remoteAddress)
    const isExcess = trustedProxies === 0 && client.connections >= clientConnections
    if (isExcess) limitExcess(client, socket)
    const { line } = this.#track(socket, true, isExcess)
    // The client ends it before it opens the next one.
    socket.once('end', () => {
      line.ended ??= takeOrder()
    })
  }

  #track(socket: Socket, isOwn: boolean, isExcess: boolean): Connection {
    const client = this.clients.find(socket.remoteAddress)
    client.connections += 1
    this.#lastNumber += 1
    const line: FactConnection = { number: this.#lastNumber, server: this.#firstNumber }
    const connection: Connection = {
      line,
      client,
      isOwn,
      isExcess,
      response: undefined,
      waiting: [],
    }
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      line.ended ??= takeOrder()
      client.connections -= 1
      client.excess.delete(socket)
      this.#connections.delete(socket)
      for (const { bytes } of connection.waiting.splice(0)) {
        this.clients.waiting.remove(client, bytes)
      }
    })
    return connection
  }

  /** Returns the connection of a request to another server, which is tracked from then on. */
  of({ socket }: IncomingMessage): Connection {
    return this.#connections.get(socket) ?? this.#track(socket, false, false)
  }

  /**
   * Responds to a request when the responses to those before it on its connection have been handed to
   * the operating system: Node emits all requests that one read contains at once. Closes the connection
   * if too many wait. Tracks the connection of a request to another server from then on.
   */
  readonly receive = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.socket.destroyed) return
    const connection = this.#connections.get(req.socket) ?? this.#track(req.socket, false, false)
    const { response, waiting } = connection
    if (!response || (response.writableFinished && waiting.length === 0)) {
      connection.response = res
      void this.respond(req, res, connection)
      return
    }
    const bytes = estimateHeaderBytes(req)
    const isFull = waiting.length >= this.limits.pipelinedRequests
    if (isFull || !this.clients.waiting.tryAdd(connection.client, bytes)) {
      req.socket.destroy()
      return
    }
    waiting.push({ res, bytes })
    if (waiting.length === 1) this.#beginNextAfter(response, connection)
  }

  /** Begins the next request in another turn of the event loop, so that other connections do not wait. */
  #beginNextAfter(response: ServerResponse, connection: Connection): void {
    const { client, waiting } = connection
    const beginNext = () => {
      const next = waiting.shift()
      if (!next) return
      const { res, bytes } = next
      this.clients.waiting.remove(client, bytes)
      if (waiting.length > 0) this.#beginNextAfter(res, connection)
      // The time for the client to read the response before has ended.
      res.req.socket.setTimeout(this.limits.idleTimeoutMs)
      connection.response = res
      void this.respond(res.req, res, connection)
    }
    response.once('finish', () => startImmediate(beginNext))
  }

  /** Returns the last unfinished response of a connection, or undefined if the connection is idle. */
  latest(socket: Socket): ServerResponse | undefined {
    const { response, waiting = [] } = this.#connections.get(socket) ?? {}
    const waitingLast = waiting.at(-1)
    if (waitingLast) return waitingLast.res
    return response?.writableFinished ? undefined : response
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

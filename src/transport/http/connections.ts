import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { startImmediate } from '../../service/timers.js'
import type { FactConnection } from '../../world/journal/facts.js'
import { takeOrder } from '../../world/journal/journal.js'
import type { Clients, HttpClient } from './clients.js'

/** Size of a request without its headers, in bytes. */
const requestBytes = 2_048

/** Estimates the memory of a waiting request. Node has its headers twice. */
export function estimateHeaderBytes({ rawHeaders }: IncomingMessage): number {
  return requestBytes + 2 * rawHeaders.reduce((sum, text) => sum + text.length, 0)
}

/** An open connection. */
export interface Connection {
  /** Its number and, after its end, the position of the end. */
  readonly fact: FactConnection
  readonly client: HttpClient
  /** Whether it belongs to our own listener, which leaves `Expect: 100-continue` to the sandbox. */
  readonly isOwn: boolean
  /** Whether the client had too many connections when this one was opened. */
  readonly isExcess: boolean
  /** The response to the latest request. */
  response: ServerResponse | undefined
  /** Number of requests that wait for earlier responses, and their memory. */
  waiting: number
  waitingBytes: number
}

/** Number of connections beyond the limit of a client that receive a response before they are closed. */
const maximumExcess = 500

/** The connections of our own server, or of another server that has requests for the sandbox. */
export class HttpConnections {
  readonly bySocket = new Map<Socket, Connection>()
  readonly #firstNumber: number
  #lastNumber: number

  constructor(readonly clients: Clients) {
    // Replicas share worlds, and must not share the numbers of connections.
    const { platform } = clients.sandbox.settings
    this.#firstNumber = Number.parseInt(platform.randomLabel().slice(0, 12), 16)
    this.#lastNumber = this.#firstNumber - 1
  }

  /**
   * Tracks a new connection of our own listener until it closes. If there are too many, closes a
   * connection of the client with the most.
   */
  open(socket: Socket): void {
    const { connections, clientConnections, trustedProxies } = this.clients.limits
    if (this.bySocket.size >= connections) this.#closeOne()
    const client = this.clients.find(socket.remoteAddress)
    const isExcess = trustedProxies === 0 && client.connections >= clientConnections
    if (isExcess && client.connections >= clientConnections + maximumExcess) socket.destroy()
    const { fact } = this.track(socket, true, isExcess)
    // The client closes it before it opens the next one.
    socket.once('end', () => {
      fact.ended ??= takeOrder()
    })
  }

  /** Tracks a connection until it closes. */
  track(socket: Socket, isOwn: boolean, isExcess: boolean): Connection {
    const client = this.clients.find(socket.remoteAddress)
    client.connections += 1
    this.clients.connections += 1
    this.#lastNumber += 1
    const fact: FactConnection = { number: this.#lastNumber, server: this.#firstNumber }
    const idle = { response: undefined, waiting: 0, waitingBytes: 0 }
    const connection: Connection = { fact, client, isOwn, isExcess, ...idle }
    this.bySocket.set(socket, connection)
    socket.once('close', () => {
      fact.ended ??= takeOrder()
      client.connections -= 1
      this.clients.connections -= 1
      this.bySocket.delete(socket)
      this.clients.waiting.remove(client, connection.waitingBytes)
    })
    return connection
  }

  /**
   * Begins a request when the operating system has the previous response of its connection. Closes the
   * connection if too many requests wait.
   */
  wait(
    before: ServerResponse,
    { req }: ServerResponse,
    connection: Connection,
    begin: () => void,
  ): void {
    const { client } = connection
    const { socket } = req
    const { limits, waiting } = this.clients
    const bytes = estimateHeaderBytes(req)
    if (connection.waiting >= limits.pipelinedRequests || !waiting.tryAdd(client, bytes)) {
      socket.destroy()
      return
    }
    connection.waiting += 1
    connection.waitingBytes += bytes
    const end = () => {
      if (socket.destroyed) return
      connection.waiting -= 1
      connection.waitingBytes -= bytes
      waiting.remove(client, bytes)
      // The client had enough time to read the previous response.
      socket.setTimeout(limits.idleTimeoutMs)
      begin()
    }
    // Uses another turn of the event loop, so that other connections do not wait.
    before.once('finish', () => startImmediate(end))
  }

  /** Returns the last unfinished response of a connection, or undefined if the connection is idle. */
  latest(socket: Socket): ServerResponse | undefined {
    const { response } = this.bySocket.get(socket) ?? {}
    return response?.writableFinished ? undefined : response
  }

  /** Closes idle connections, and all other connections after their response. */
  closeIdle(): void {
    for (const socket of this.bySocket.keys()) this.#closeWhenIdle(socket)
  }

  #closeWhenIdle(socket: Socket): void {
    const res = this.latest(socket)
    if (res) res.once('close', () => this.#closeWhenIdle(socket))
    else socket.destroySoon()
  }

  /** Closes the oldest idle connection of the client with the most, otherwise its oldest connection. */
  #closeOne(): void {
    const client = this.clients.heaviest()
    let oldest: Socket | undefined
    for (const [socket, connection] of this.bySocket) {
      if (connection.client !== client || socket.destroyed) continue
      oldest ??= socket
      if (this.latest(socket)) continue
      oldest = socket
      break
    }
    oldest?.destroy()
  }
}

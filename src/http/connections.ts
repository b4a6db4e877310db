import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, each with its latest response. */
export class HttpConnections {
  readonly #responses = new Map<Socket, ServerResponse | undefined>()
  readonly #excess = new WeakSet<Socket>()
  readonly #streams = new Set<ServerResponse>()
  #isClosing = false

  /** @param limit Maximum number of connections. Connections beyond it are marked as excess. */
  constructor(readonly limit: number) {}

  /** Whether the server is closing. Each connection must then be closed after its response. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Marks the server as closing. Requests are still served. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /** Tracks a new connection until it closes. */
  open(socket: Socket): void {
    this.#responses.set(socket, undefined)
    if (this.#responses.size > this.limit) this.#excess.add(socket)
    socket.once('close', () => this.#responses.delete(socket))
  }

  /** Records the latest response of a connection. */
  begin(socket: Socket, res: ServerResponse): void {
    if (this.#responses.has(socket)) this.#responses.set(socket, res)
  }

  /** Tracks an event stream, which ends only when the client or the server closes it. */
  beginStream(res: ServerResponse): void {
    this.#streams.add(res)
    res.once('close', () => this.#streams.delete(res))
  }

  /** Returns the unfinished response of a connection, or undefined if the connection is idle. */
  current(socket: Socket): ServerResponse | undefined {
    const res = this.#responses.get(socket)
    return res?.writableFinished ? undefined : res
  }

  /** Whether the connection was opened beyond the limit. */
  isExcess(socket: Socket): boolean {
    return this.#excess.has(socket)
  }

  /** Closes idle connections and event streams, and all other connections after their response. */
  closeIdle(): void {
    for (const res of this.#streams) res.end()
    for (const socket of this.#responses.keys()) this.#closeWhenIdle(socket)
  }

  /** Destroys all connections. */
  destroyAll(): void {
    for (const socket of this.#responses.keys()) socket.destroy()
  }

  #closeWhenIdle(socket: Socket): void {
    const res = this.current(socket)
    if (res) res.once('close', () => this.#closeWhenIdle(socket))
    else socket.destroySoon()
  }
}

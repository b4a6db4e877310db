import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, each with the answer that it was busy with last. */
export class HttpConnections {
  readonly #answers = new Map<Socket, ServerResponse | undefined>()
  readonly #excess = new WeakSet<Socket>()
  readonly #endless = new Set<ServerResponse>()

  /** @param limit How many are taken; those past it are marked. */
  constructor(readonly limit: number) {}

  /** Keeps a new connection until it closes. */
  open(socket: Socket): void {
    this.#answers.set(socket, undefined)
    if (this.#answers.size > this.limit) this.#excess.add(socket)
    socket.once('close', () => this.#answers.delete(socket))
  }

  /** Notes the answer that a connection is busy with from now on. */
  begin(socket: Socket, res: ServerResponse): void {
    if (this.#answers.has(socket)) this.#answers.set(socket, res)
  }

  /** Notes an answer that ends only when somebody leaves. */
  beginEndless(res: ServerResponse): void {
    this.#endless.add(res)
    res.once('close', () => this.#endless.delete(res))
  }

  /** The answer that is still on its way; undefined when the connection is idle. */
  current(socket: Socket): ServerResponse | undefined {
    const res = this.#answers.get(socket)
    return res?.writableFinished ? undefined : res
  }

  /** Whether the connection came when the limit was reached. */
  isExcess(socket: Socket): boolean {
    return this.#excess.has(socket)
  }

  /**
   * Ends every idle connection and every endless answer now, and every other connection as soon
   * as its answer is out.
   */
  endIdle(): void {
    for (const res of this.#endless) res.end()
    for (const socket of this.#answers.keys()) this.#endWhenIdle(socket)
  }

  /** Cuts every connection. */
  destroyAll(): void {
    for (const socket of this.#answers.keys()) socket.destroy()
  }

  #endWhenIdle(socket: Socket): void {
    const res = this.current(socket)
    if (res) res.once('close', () => this.#endWhenIdle(socket))
    else socket.destroySoon()
  }
}

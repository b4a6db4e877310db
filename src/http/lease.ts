import type { ServerResponse } from 'node:http'
import type { MemoryAccount, MemoryUse } from '../memory/account.js'
import type { Lease } from '../pipeline/message.js'
import type { Connection } from './connections.js'

/** The memory that one request uses, until its response has been sent or the client disconnects. */
export class ResponseLease implements Lease {
  #actions: (() => void)[] | undefined
  #unsentListener: (() => () => void) | undefined
  #isSettled = false

  /** @param memory Account of the client. */
  constructor(
    readonly memory: MemoryAccount,
    readonly connection: Connection,
    readonly res: ServerResponse,
  ) {}

  reserve(use: MemoryUse, bytes: number): void {
    this.memory.reserve(use, bytes)
    this.defer(() => this.memory.release(use, bytes))
  }

  defer(action: () => void): void {
    this.#actions ??= []
    this.#actions.push(action)
    if (this.#isSettled && this.#actions.length === 1) this.#watch()
  }

  onUnsent(listener: () => () => void): void {
    if (this.#isSettled) this.defer(listener())
    else this.#unsentListener = listener
  }

  /**
   * Called when the synchronous part of the request is over. Most responses have then been sent, and
   * need no listeners.
   */
  settle(): void {
    this.#isSettled = true
    if (this.#unsentListener && !this.#isOver) {
      this.#actions ??= []
      this.#actions.push(this.#unsentListener())
    }
    if (this.#actions) this.#watch()
  }

  /** Releases everything: now if the response is over, and otherwise then. */
  #watch(): void {
    if (this.#isOver) {
      this.#release()
      return
    }
    const removeListener = this.connection.onAbort(() => this.#release())
    this.res.once('close', () => {
      removeListener()
      this.#release()
    })
  }

  /** Whether the response has been sent or the client has disconnected. */
  get #isOver(): boolean {
    return this.connection.isAborted || this.res.writableFinished
  }

  #release(): void {
    const actions = this.#actions ?? []
    this.#actions = undefined
    for (const action of actions) action()
  }
}

import type { ServerResponse } from 'node:http'
import type { MemoryAccount, MemoryUse } from '../memory/account.js'
import type { Lease } from '../pipeline/message.js'
import type { Connection } from './connections.js'

/** The memory that one request uses, until its response has been sent or the client disconnects. */
export class ResponseLease implements Lease {
  #actions: (() => void)[] | undefined

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
    if (this.#actions) {
      this.#actions.push(action)
    } else if (this.connection.isAborted || this.res.writableFinished) {
      action()
    } else {
      this.#actions = [action]
      const removeListener = this.connection.onAbort(() => this.#release())
      this.res.once('close', () => {
        removeListener()
        this.#release()
      })
    }
  }

  #release(): void {
    const actions = this.#actions ?? []
    this.#actions = undefined
    for (const action of actions) action()
  }
}

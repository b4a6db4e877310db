import type { ServerResponse } from 'node:http'
import type { Lease } from '../../engine/message.js'
import type { MemoryAccount, MemoryUse } from '../../world/memory-account.js'
import type { Connection } from './connections.js'

const unsent = 'unsent responses'

/** The memory that one request uses, until its response has been sent or the client disconnects. */
export class ResponseLease implements Lease {
  #actions: (() => void)[] | undefined
  /** Size of a response that is reserved if it is not sent at once, in bytes. */
  #unsentBytes = 0

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

  reserveUnsent(bytes: number): void {
    this.memory.check(bytes)
    this.#unsentBytes += bytes
  }

  defer(action: () => void): void {
    this.#actions ??= []
    this.#actions.push(action)
  }

  /** Called when the response has been passed to Node. Most responses have then been sent. */
  settle(): void {
    if (this.#unsentBytes > 0 && !this.#isOver) this.#addUnsent()
    if (this.#actions) this.#watch()
  }

  #addUnsent(): void {
    const bytes = this.#unsentBytes
    // Checked before: also if the account has become full meanwhile.
    this.memory.resize(unsent, (this.memory.usage[unsent] ?? 0) + bytes)
    this.defer(() => this.memory.release(unsent, bytes))
  }

  /** Releases everything: now if the response is over, and otherwise then. */
  #watch(): void {
    if (this.#isOver) {
      this.#release()
      return
    }
    this.defer(this.connection.onAbort(this.#release))
    this.res.once('close', this.#release)
  }

  /** Whether the response has been sent or the client has disconnected. */
  get #isOver(): boolean {
    return this.connection.isAborted || this.res.writableFinished
  }

  /** Bound to this lease, because it is also a listener. */
  readonly #release = (): void => {
    const actions = this.#actions ?? []
    this.#actions = undefined
    for (const action of actions) action()
  }
}

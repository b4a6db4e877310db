import type { ClassicLevel } from 'classic-level'
import type { Operation } from './level.js'
import { StoreError } from './store.js'

interface Waiting {
  resolve(): void
  reject(error: StoreError): void
}

/** The original function. Test runners replace the global one with a fake. */
const { setImmediate: startImmediate } = globalThis

/**
 * Writes to a database in the order of the calls. All writes of one turn of the event loop, and all
 * that arrive during an earlier write, become one batch.
 *
 * If a batch fails, the writes that wait for it or after it are rejected. The database is then
 * opened again before the next one, because the file may end in the middle of a record.
 */
export class WriteQueue {
  #operations: Operation[] = []
  #waiting: Waiting[] = []
  #isScheduled = false
  #isBroken = false
  #isClosed = false

  /** @param onFailure Is called after a failure, before the writes are rejected. */
  constructor(
    readonly level: ClassicLevel,
    readonly sync: boolean,
    readonly onFailure: () => void,
  ) {}

  /** Resolves when the operations are written, in one atomic batch. */
  write(operations: readonly Operation[]): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const operation of operations) this.#operations.push(operation)
      this.#waiting.push({ resolve, reject })
      if (!this.#isScheduled) this.#schedule()
    })
  }

  /** Resolves when the earlier writes are written and the database can be read. */
  async flush(): Promise<void> {
    if (this.#isScheduled || this.#isBroken || this.#isClosed) await this.write([])
  }

  /** Completes the writes and closes the database. */
  async close(): Promise<void> {
    const flushed = this.flush()
    // A failure was reported to those who wrote.
    await flushed.catch(() => undefined)
    this.#isClosed = true
    await this.level.close()
  }

  /** Returns an error as one that names the directory. */
  toError(error: unknown): StoreError {
    if (error instanceof StoreError) return error
    return new StoreError(`${this.level.location} cannot be used: ${toReason(error)}`)
  }

  #schedule(): void {
    this.#isScheduled = true
    startImmediate(() => void this.#writeBatch())
  }

  async #writeBatch(): Promise<void> {
    const operations = this.#operations
    const waiting = this.#waiting
    this.#operations = []
    this.#waiting = []
    try {
      if (this.#isClosed) throw new StoreError(`${this.level.location} is closed`)
      if (this.#isBroken) await this.#reopen()
      if (operations.length > 0) await this.#writeOperations(operations)
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      this.#fail(error, waiting)
    }
    // The next batch also takes the requests that the event loop receives now.
    if (this.#waiting.length > 0) this.#schedule()
    else this.#isScheduled = false
  }

  #writeOperations(operations: Operation[]): Promise<void> {
    // With options, classic-level needs much more time to copy each operation.
    return this.sync ? this.level.batch(operations, { sync: true }) : this.level.batch(operations)
  }

  async #reopen(): Promise<void> {
    await this.level.close()
    await this.level.open()
    this.#isBroken = false
  }

  #fail(error: unknown, waiting: readonly Waiting[]): void {
    const later = this.#waiting
    this.#operations = []
    this.#waiting = []
    this.#isBroken = true
    this.onFailure()
    for (const { reject } of [...waiting, ...later]) reject(this.toError(error))
  }
}

/** Returns the reason of an error of classic-level in one line. */
export function toReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const { message } = cause instanceof Error ? cause : error instanceof Error ? error : {}
  return (message ?? String(error)).replaceAll('\n', ' ')
}

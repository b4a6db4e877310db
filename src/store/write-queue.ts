import type { ClassicLevel } from 'classic-level'
import { startImmediate } from '../service/timers.js'
import type { Operation } from './level.js'
import { StoreError } from './store.js'
import type { WriteAheadLog } from './write-ahead-log.js'

interface Waiting {
  resolve(): void
  reject(error: StoreError): void
}

/** Milliseconds after which operations are moved from the log to the database at the latest. */
const moveAfterMs = 1000

/**
 * Writes to a log in the order of the calls, and moves the log to its database in the background.
 * All writes of one turn of the event loop, and all that arrive during an earlier write, are
 * appended together. While the log is full, writes wait.
 *
 * If an append to the log fails, the writes that wait for it or after it are rejected. If a move to
 * the database fails, the next write repeats it, and is rejected if this fails too.
 */
export class WriteQueue {
  readonly #level: ClassicLevel
  readonly #log: WriteAheadLog
  readonly #onFailure: () => void
  #operations: Operation[] = []
  #writes: Waiting[] = []
  #flushes: Waiting[] = []
  /** The move in progress. Never rejects. */
  #move: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isScheduled = false
  #isClosed = false

  /** @param onFailure Is called after a failure, before the writes are rejected. */
  constructor(level: ClassicLevel, log: WriteAheadLog, onFailure: () => void) {
    this.#level = level
    this.#log = log
    this.#onFailure = onFailure
  }

  /** Resolves when the operations are in the log, all or none. */
  write(operations: readonly Operation[]): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const operation of operations) this.#operations.push(operation)
      this.#writes.push({ resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when the earlier writes are in the database and it can be read. */
  async flush(): Promise<void> {
    if (!this.#isScheduled && !this.#isClosed && this.#log.isEmpty) return
    await new Promise<void>((resolve, reject) => {
      this.#flushes.push({ resolve, reject })
      this.#schedule()
    })
  }

  /** Completes the writes and closes the log and the database. */
  async close(): Promise<void> {
    // What cannot be moved stays in the log.
    await this.flush().catch(() => undefined)
    this.#isClosed = true
    clearTimeout(this.#timer)
    // Later writes may be in progress. They stay in the log, too.
    while (this.#isScheduled) await this.write([]).catch(() => undefined)
    await this.#move
    this.#log.close()
    await this.#level.close()
  }

  /** Returns an error as one that names the directory. */
  toError(error: unknown): StoreError {
    if (error instanceof StoreError) return error
    return new StoreError(`${this.#level.location} cannot be used: ${toReason(error)}`)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    startImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    const operations = this.#operations
    const writes = this.#writes
    const flushes = this.#flushes
    this.#operations = []
    this.#writes = []
    this.#flushes = []
    try {
      if (this.#isClosed) throw new StoreError(`${this.#level.location} is closed`)
      if (this.#log.isBroken) await this.#repeatMove()
      if (operations.length > 0) await this.#append(operations)
      for (const { resolve } of writes) resolve()
      if (flushes.length > 0 || this.#log.isFull) await this.#startMove(flushes)
    } catch (error) {
      this.#fail(error, [...writes, ...flushes])
    }
    this.#isScheduled = false
    // The next append also takes the requests that the event loop receives now.
    if (this.#writes.length > 0 || this.#flushes.length > 0) this.#schedule()
  }

  async #append(operations: readonly Operation[]): Promise<void> {
    await this.#log.append(operations)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // The next write repeats a move that has failed.
      void this.flush().catch(() => undefined)
    }, moveAfterMs).unref()
  }

  async #repeatMove(): Promise<void> {
    await this.#move
    await this.#log.move()
  }

  /** Starts a move after the one in progress. */
  async #startMove(flushes: readonly Waiting[]): Promise<void> {
    await this.#move
    this.#move = this.#log.move().then(
      () => {
        for (const { resolve } of flushes) resolve()
      },
      (error) => {
        for (const { reject } of flushes) reject(this.toError(error))
      },
    )
  }

  #fail(error: unknown, waiting: readonly Waiting[]): void {
    const later = [...this.#writes, ...this.#flushes]
    this.#operations = []
    this.#writes = []
    this.#flushes = []
    this.#onFailure()
    for (const { reject } of [...waiting, ...later]) reject(this.toError(error))
  }
}

/** Returns the reason of an error of classic-level in one line. */
export function toReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const { message } = cause instanceof Error ? cause : error instanceof Error ? error : {}
  return (message ?? String(error)).replaceAll('\n', ' ')
}

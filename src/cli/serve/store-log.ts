import type { StoreObserver } from '../../store/observer.js'
import { StoreError } from '../../store/store.js'
import type { ServeLog } from './log.js'

/** Logs when the store fails and when it recovers, once each, and passes the measurements on. */
export class StoreLog implements StoreObserver {
  /** Names of the operations that have failed since the store worked. */
  readonly #failed = new Set<string>()

  constructor(
    readonly observer: StoreObserver,
    readonly log: Pick<ServeLog, 'notice' | 'error'>,
  ) {}

  observeStore(operation: string, seconds: number, error?: unknown): void {
    this.observer.observeStore(operation, seconds)
    if (error instanceof StoreError) this.#noteFailure(operation, error)
    else if (error === undefined) this.#noteSuccess(operation)
  }

  countConflict(): void {
    this.observer.countConflict()
  }

  #noteFailure(operation: string, { message }: StoreError): void {
    const isFirst = this.#failed.size === 0
    this.#failed.add(operation)
    if (!isFirst) return
    this.log.error(
      `the store has failed, and requests are rejected with 503: ${message}`,
      'storeFailed',
    )
  }

  #noteSuccess(operation: string): void {
    if (this.#failed.size === 0) return
    // A store that cannot be written, such as one on a full disk, can often still be read.
    if (operation !== 'append' && !this.#failed.has(operation)) return
    this.#failed.clear()
    this.log.notice('the store has recovered', 'storeRecovered')
  }
}

import { type Store, StoreError } from '../../store/store.js'
import type { Metrics } from '../../transport/http/respond.js'
import type { ServeLog } from './log.js'

/**
 * Returns a store whose operations are measured, and whose failure and recovery are logged, once each.
 *
 * @param monotonic Returns monotonic milliseconds.
 */
export function observe(
  store: Store,
  metrics: Metrics,
  log: Pick<ServeLog, 'notice' | 'error'>,
  monotonic: () => number,
): Store {
  const state = new StoreState(log)
  const call = async (name: string, run: () => Promise<unknown>) => {
    const startedAt = monotonic()
    try {
      const result = await run()
      state.noteSuccess(name)
      // Another replica has changed the world, so that the step is executed again.
      if (name === 'append' && result === false) metrics.storeConflicts += 1
      return result
    } catch (error) {
      if (error instanceof StoreError) state.noteFailure(name, error)
      throw error
    } finally {
      metrics.observeStore(name, (monotonic() - startedAt) / 1_000)
    }
  }
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const member = store[name]
      if (typeof member !== 'function') return member
      const run = (...args: unknown[]) => Reflect.apply(member, store, args)
      if (name === 'follow' || name === 'close') return run
      return (...args: unknown[]) => call(name, () => run(...args))
    },
  })
}

/** Whether a store works, as its operations show. */
class StoreState {
  /** Names of the operations that have failed since the store worked. */
  readonly #failed = new Set<string>()

  constructor(readonly log: Pick<ServeLog, 'notice' | 'error'>) {}

  noteFailure(operation: string, { message }: StoreError): void {
    const isFirst = this.#failed.size === 0
    this.#failed.add(operation)
    if (!isFirst) return
    this.log.error(
      `the store has failed, and requests are rejected with 503: ${message}`,
      'storeFailed',
    )
  }

  noteSuccess(operation: string): void {
    if (this.#failed.size === 0) return
    // A store that cannot be written, such as one on a full disk, can often still be read.
    if (operation !== 'append' && !this.#failed.has(operation)) return
    this.#failed.clear()
    this.log.notice('the store has recovered', 'storeRecovered')
  }
}

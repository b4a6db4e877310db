import type { Store } from './store.js'

/** Receives measurements of a store. */
export interface StoreObserver {
  /**
   * Called after each operation of the store, also after one that failed.
   *
   * @param operation Name of the method of the store: `append`.
   * @param error Why it failed. Undefined if it succeeded.
   */
  observeStore(operation: string, seconds: number, error?: unknown): void
  /** Called each time a step is executed again, because another replica has changed its world. */
  countConflict(): void
}

/**
 * Returns a store that reports the duration of its operations.
 *
 * @param monotonic Returns monotonic milliseconds.
 */
export function observe(store: Store, observer: StoreObserver, monotonic: () => number): Store {
  const measure =
    <Args extends readonly unknown[], Result>(
      operation: string,
      run: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      const startedAt = monotonic()
      const end = (error?: unknown) =>
        observer.observeStore(operation, (monotonic() - startedAt) / 1_000, error)
      try {
        const result = await run(...args)
        end()
        return result
      } catch (error) {
        end(error)
        throw error
      }
    }
  return {
    kind: store.kind,
    location: store.location,
    isExclusive: store.isExclusive,
    maximumFacts: store.maximumFacts,
    load: measure('load', (id) => store.load(id)),
    append: measure('append', (id, ...step) => store.append(id, ...step)),
    readSince: measure('readSince', (id, version) => store.readSince(id, version)),
    compact: measure('compact', (id, ...state) => store.compact(id, ...state)),
    follow: (id, listener) => store.follow(id, listener),
    remove: measure('remove', (id) => store.remove(id)),
    list: measure('list', () => store.list()),
    saveSeed: measure('saveSeed', (id, data) => store.saveSeed(id, data)),
    loadSeed: measure('loadSeed', (id) => store.loadSeed(id)),
    check: measure('check', () => store.check()),
    close: () => store.close(),
  }
}

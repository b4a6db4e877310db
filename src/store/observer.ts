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
  const measure = async (operation: string, run: () => Promise<unknown>) => {
    const startedAt = monotonic()
    const end = (error?: unknown) =>
      observer.observeStore(operation, (monotonic() - startedAt) / 1_000, error)
    const result = run()
    await result.then(() => end(), end)
    return result
  }
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const member = store[name]
      if (typeof member !== 'function') return member
      const call = (...args: unknown[]) => Reflect.apply(member, store, args)
      if (name === 'follow' || name === 'close') return call
      return (...args: unknown[]) => measure(name, () => call(...args))
    },
  })
}

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
  /** Names of the operations that have failed since the store worked. */
  const failed = new Set<string>()
  const call = async (name: string, run: () => Promise<unknown>) => {
    const startedAt = monotonic()
    try {
      const result = await run()
      // Another replica has changed the world, so that the step is executed again.
      if (name === 'append' && result === false) metrics.storeConflicts += 1
      // A store that cannot be written, for example because the disk is full, can often still be read.
      if (failed.has(name) || (failed.size > 0 && name === 'append')) {
        failed.clear()
        log.notice('the store has recovered', 'storeRecovered')
      }
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const line = `the store has failed, and requests are rejected with 503: ${error.message}`
      if (failed.size === 0) log.error(line, 'storeFailed')
      failed.add(name)
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

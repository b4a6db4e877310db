import { UsageError } from '../../service/validation/usage-error.js'
import type { Store } from '../../store/store.js'
import { StoreError } from '../../store/store.js'
import { openDirectoryStore, openRedisStore } from '../../transport/in-process/stores.js'
import type { ServeOptions } from './options.js'

/** Time for which unused worlds are kept by default, in milliseconds: 30 days. */
const defaultKeepMs = 30 * 86_400_000

/**
 * Opens the store that the options name. Returns undefined if they name none.
 *
 * @throws {UsageError} If the options contradict each other, or the store cannot be opened.
 */
export async function openStore(options: ServeOptions): Promise<Store | undefined> {
  const { data, redis, dataSync: sync, keep: keepMs = defaultKeepMs } = options
  checkStoreOptions(options)
  try {
    if (data !== undefined) return await openDirectoryStore({ directory: data, sync, keepMs })
    return redis === undefined ? undefined : await openRedisStore({ url: redis, keepMs })
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(error.message)
    throw error
  }
}

function checkStoreOptions({ data, redis, dataSync, keep }: ServeOptions): void {
  if (data !== undefined && redis !== undefined) {
    throw new UsageError('--data and --redis exclude each other, found both')
  }
  if (dataSync && data === undefined) throw new UsageError('--data-sync requires --data DIR')
  if (keep !== undefined && data === undefined && redis === undefined) {
    throw new UsageError('--keep requires --data DIR or --redis URL, found neither')
  }
}

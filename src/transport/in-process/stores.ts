import { platform } from '../../engine/platform.js'
import type { DirectoryStoreOptions } from '../../store/directory.js'
import type { RedisStoreOptions } from '../../store/redis.js'
import type { Store } from '../../store/store.js'

/**
 * Opens a store in a directory, for `createSandbox({ store })`. One process at a time can use the
 * directory. Needs the package `classic-level`.
 *
 * @throws {StoreError} If the directory cannot be opened.
 */
export async function openDirectoryStore(
  options: Omit<DirectoryStoreOptions, 'now'>,
): Promise<Store> {
  const { createDirectoryStore } = await import('../../store/directory.js')
  return createDirectoryStore({ ...options, now: platform.now })
}

/**
 * Opens a store in Redis, for `createSandbox({ store })`. Several processes can share it. Needs the
 * package `@redis/client`.
 *
 * @throws {StoreError} If the server cannot be reached.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { createRedisStore } = await import('../../store/redis.js')
  return createRedisStore(options)
}

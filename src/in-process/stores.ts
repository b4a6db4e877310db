import { platform } from '../sandbox/platform.js'
import { createDirectoryStore, type DirectoryStoreOptions } from '../store/directory.js'
import { createRedisStore, type RedisStoreOptions } from '../store/redis.js'
import type { Store } from '../store/store.js'

/**
 * Opens a store in a directory, for `createSandbox({ store })`. One process at a time can use the
 * directory. Needs the package `classic-level`.
 *
 * @throws {StoreError} If the directory cannot be opened.
 */
export function openDirectoryStore(options: Omit<DirectoryStoreOptions, 'now'>): Promise<Store> {
  return createDirectoryStore({ ...options, now: platform.now })
}

/**
 * Opens a store in Redis, for `createSandbox({ store })`. Several processes can share it. Needs the
 * package `@redis/client`.
 *
 * @throws {StoreError} If the server cannot be reached.
 */
export function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  return createRedisStore(options)
}

/** Options of a store in a directory. */
export interface DirectoryStoreOptions {
  /** Path of the directory, which is created if it does not exist. */
  readonly directory: string
  /**
   * Removes worlds without an append for this time, when the store is opened and every hour. Rounded
   * up to hours. Default: keeps all worlds.
   */
  readonly keepMs?: number | undefined
  /** Waits until the disk has stored the data, not only the operating system. Default: false. */
  readonly sync?: boolean | undefined
  /** Returns the real time in milliseconds since the epoch. */
  readonly now: () => number
}

/** Options of a store in Redis. */
export interface RedisStoreOptions {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss:` with TLS. */
  readonly url: string
  /** Prefix of all keys, so that several services can share a Redis. Default: `petstore-sandbox`. */
  readonly prefix?: string | undefined
  /** Removes worlds without an append for this time. Default: keeps all worlds. */
  readonly keepMs?: number | undefined
  /** Time without a response after which Redis counts as unreachable. Default: 2000. */
  readonly timeoutMs?: number | undefined
}

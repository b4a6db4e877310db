import type { MemoryAccount } from '../memory-account.js'

/** Maximum number of retained values. */
const maximumValues = 32

/** Share of the memory of the account that retained values may occupy. */
const memoryShare = 1 / 16

/**
 * Values that may be needed again, most recently used first. Beyond the limits, the least recently
 * used are released. Retains nothing without an account.
 */
export class RetainedValues<T> implements Iterable<T> {
  /** Estimated heap of each value in bytes, least recently used first. */
  readonly #bytes = new Map<T, number>()
  #usedBytes = 0
  #account: MemoryAccount | undefined

  /** Sets the account of the memory that the values occupy, and releases all values. */
  open(account: MemoryAccount): void {
    for (const value of this.#bytes.keys()) this.#release(value)
    this.#account = account
  }

  /** Retains a value, and marks it as used. */
  use(value: T, bytes: number): void {
    this.#release(value)
    if (!this.#account || !this.#makeRoom(bytes, this.#account)) return
    this.#account.reserve('scenarios', bytes)
    this.#usedBytes += bytes
    this.#bytes.set(value, bytes)
  }

  [Symbol.iterator](): IterableIterator<T> {
    return [...this.#bytes.keys()].reverse().values()
  }

  /** Releases values until there is room for another. Returns false if there is too little. */
  #makeRoom(bytes: number, { options, used }: MemoryAccount): boolean {
    const limit = options.limit * memoryShare
    // A retained value is not worth the eviction of a world.
    if (bytes > limit || used + bytes > options.limit) return false
    for (const value of this.#bytes.keys()) {
      if (this.#bytes.size < maximumValues && this.#usedBytes + bytes <= limit) break
      this.#release(value)
    }
    return true
  }

  #release(value: T): void {
    const bytes = this.#bytes.get(value)
    if (bytes === undefined) return
    this.#bytes.delete(value)
    this.#usedBytes -= bytes
    this.#account?.release('scenarios', bytes)
  }
}

/** Maximum number of retained values. */
const maximumValues = 32

/**
 * Values that may be needed again, most recently used first. Beyond the limits, the least recently
 * used are released. Retains nothing until `limit` is set.
 */
export class RetainedValues<T> implements Iterable<T> {
  /** Maximum size of all values, in bytes. */
  limit = 0
  /** Estimated size of each value in bytes, least recently used first. */
  readonly #bytes = new Map<T, number>()
  #usedBytes = 0

  /** Estimated size of all values, in bytes. */
  get bytes(): number {
    return this.#usedBytes
  }

  /** Retains a value, and marks it as used. */
  use(value: T, bytes: number): void {
    this.#release(value)
    if (bytes > this.limit) return
    for (const other of this.#bytes.keys()) {
      if (this.#bytes.size < maximumValues && this.#usedBytes + bytes <= this.limit) break
      this.#release(other)
    }
    this.#usedBytes += bytes
    this.#bytes.set(value, bytes)
  }

  [Symbol.iterator](): IterableIterator<T> {
    return [...this.#bytes.keys()].reverse().values()
  }

  #release(value: T): void {
    this.#usedBytes -= this.#bytes.get(value) ?? 0
    this.#bytes.delete(value)
  }
}

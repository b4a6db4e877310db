/** A web storage in memory. */
export class FakeStorage implements Storage {
  /** Maximum total length of keys and values, in characters. */
  quota = Number.POSITIVE_INFINITY
  /** Total length of the keys and values that were written, in characters. */
  written = 0
  readonly #items = new Map<string, string>()

  get length(): number {
    return this.#items.size
  }

  /** Total length of keys and values, in characters. */
  get size(): number {
    let size = 0
    for (const [key, value] of this.#items) size += key.length + value.length
    return size
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    const before = this.#items.get(key)
    const added = before === undefined ? key.length + value.length : value.length - before.length
    if (this.size + added > this.quota) {
      throw new DOMException('the quota has been exceeded', 'QuotaExceededError')
    }
    this.written += key.length + value.length
    this.#items.set(key, value)
  }

  removeItem(key: string): void {
    this.#items.delete(key)
  }

  clear(): void {
    this.#items.clear()
  }
}

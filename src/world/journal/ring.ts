import type { MemoryAccount } from '../memory-account.js'

/** Share of the memory of a world that one ring may use. */
const memoryShare = 1 / 4

/** The latest items of a world. Drops the oldest beyond its capacity and its share of the memory. */
export class Ring<Item> {
  #items: Item[] = []
  /** The estimated memory of each item, in bytes. */
  #sizes: number[] = []
  #bytes = 0

  /**
   * @param capacity Maximum number of items.
   * @param memory Account of the world.
   * @param onDrop Called with each item that is dropped.
   */
  constructor(
    readonly capacity: number,
    readonly memory: MemoryAccount,
    readonly onDrop: (item: Item) => void = () => {},
  ) {}

  get size(): number {
    return this.#items.length
  }

  /** Returns a copy of the items, oldest first. */
  list(): readonly Item[] {
    return this.#items.slice()
  }

  /**
   * Adds an item, and drops the oldest ones until it fits. Returns whether there is room for it.
   *
   * @param bytes Estimated memory of the item.
   */
  add(item: Item, bytes: number): boolean {
    const limit = this.memory.options.limit * memoryShare
    const hasRoom = () =>
      this.size < this.capacity &&
      this.#bytes + bytes <= limit &&
      this.memory.tryReserve('journals', bytes)
    while (!hasRoom()) {
      if (this.size === 0) return false
      this.#dropOldest()
    }
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    return true
  }

  #dropOldest(): void {
    const item = this.#items.shift()
    const bytes = this.#sizes.shift() ?? 0
    this.#bytes -= bytes
    this.memory.release('journals', bytes)
    if (item !== undefined) this.onDrop(item)
  }

  /** Removes all items. */
  clear(): void {
    this.memory.release('journals', this.#bytes)
    this.#items = []
    this.#sizes = []
    this.#bytes = 0
  }
}

/** The latest items that a world has room for. Drops the oldest beyond its limits. */
export class Ring<Item> {
  /** Estimated size of the items, in bytes. */
  bytes = 0
  #items: Item[] = []
  /** The estimated size of each item, in bytes. */
  #sizes: number[] = []

  /**
   * @param capacity Maximum number of items.
   * @param maximumBytes Maximum size of the items.
   * @param hasRoom Whether the world has room for more bytes.
   * @param onDrop Called with each item that is dropped.
   */
  constructor(
    readonly capacity: number,
    readonly maximumBytes: number,
    readonly hasRoom: (bytes: number) => boolean,
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
   * @param bytes Estimated size of the item.
   */
  add(item: Item, bytes: number): boolean {
    const { capacity, maximumBytes, hasRoom } = this
    while (this.#items.length >= capacity || this.bytes + bytes > maximumBytes || !hasRoom(bytes)) {
      if (this.#items.length === 0) return false
      this.#dropOldest()
    }
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.bytes += bytes
    return true
  }

  #dropOldest(): void {
    const item = this.#items.shift()
    this.bytes -= this.#sizes.shift() ?? 0
    if (item !== undefined) this.onDrop(item)
  }

  /** Removes all items. */
  clear(): void {
    this.#items = []
    this.#sizes = []
    this.bytes = 0
  }
}

/** A value of a {@link UsageList}, between its neighbours. */
export interface Position<T> {
  readonly value: T
  previous: Position<T> | undefined
  next: Position<T> | undefined
}

/**
 * Values in the order of their use, least recently used first. A doubly linked list, so that every
 * operation takes constant time: a Map would skip the entries that were removed from its beginning.
 */
export class UsageList<T> {
  #first: Position<T> | undefined
  #last: Position<T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The least recently used value. */
  get first(): Position<T> | undefined {
    return this.#first
  }

  /** Adds a value at the end. */
  add(value: T): Position<T> {
    const position = { value, previous: undefined, next: undefined }
    this.#append(position)
    return position
  }

  /** Moves a value of this list to the end. */
  moveToEnd(position: Position<T>): void {
    if (position === this.#last) return
    this.remove(position)
    this.#append(position)
  }

  /** Removes a value of this list. */
  remove(position: Position<T>): void {
    const { previous, next } = position
    if (previous) previous.next = next
    else this.#first = next
    if (next) next.previous = previous
    else this.#last = previous
    this.#size -= 1
  }

  #append(position: Position<T>): void {
    position.previous = this.#last
    position.next = undefined
    if (this.#last) this.#last.next = position
    else this.#first = position
    this.#last = position
    this.#size += 1
  }
}

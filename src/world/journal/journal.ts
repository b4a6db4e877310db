import type { AddressId, Environment } from '../../contract/addresses.js'
import type { Change } from '../../operations/change.js'

/** One call as the journal keeps it. */
export interface JournalEntry {
  /** Counts up from 1 in each world. */
  readonly id: number
  /** Milliseconds since 1970 on the world's clock. */
  readonly atMs: number
  readonly durationMs: number
  readonly environment: Environment
  /** The base address that was called. */
  readonly address: AddressId
  readonly method: string
  /** Below the base address, as it was sent. */
  readonly path: string
  /** After the `?`, as it was sent but for keys, which are masked; empty without one. */
  readonly query: string
  /** The operation; undefined when none matched. */
  readonly operation: string | undefined
  /** Masked: the first 12 characters and `…`; undefined when none was sent. */
  readonly apiKey: string | undefined
  /**
   * Name, value, name, value, the names in lower case: at most 50, each value cut at 256 characters.
   * Keys are masked, and of cookies only the names are kept.
   */
  readonly requestHeaders: readonly string[]
  /** The request's body as text, shortened past 4 KiB. */
  readonly requestBody: string | undefined
  readonly status: number
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** Name, value, name, value. */
  readonly responseHeaders: readonly string[]
  /** The response's body as text, shortened past 4 KiB. */
  readonly responseBody: string | undefined
  /** What each step on the way of the call decided, in order. */
  readonly explanation: readonly string[]
  /** What the call changed in the world. */
  readonly changes: readonly Change[]
}

/** The newest calls of a world, bounded. */
export class Journal {
  #ring: JournalEntry[] = []
  #next = 0
  #lastId = 0
  readonly #listeners = new Set<(entry: JournalEntry) => void>()

  /** @param capacity How many entries are kept; older ones leave first. */
  constructor(readonly capacity: number) {}

  /** Keeps an entry, tells every listener, and gives it its id. */
  record(entry: Omit<JournalEntry, 'id'>): JournalEntry {
    this.#lastId += 1
    const kept: JournalEntry = { id: this.#lastId, ...entry }
    if (this.capacity > 0) {
      this.#ring[this.#next] = kept
      this.#next = (this.#next + 1) % this.capacity
    }
    for (const listener of this.#listeners) listener(kept)
    return kept
  }

  /** The kept entries, oldest first. */
  entries(): readonly JournalEntry[] {
    if (this.#ring.length < this.capacity) return [...this.#ring]
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }

  get size(): number {
    return this.#ring.length
  }

  /** Forgets the entries; ids go on. */
  clear(): void {
    this.#ring = []
    this.#next = 0
  }

  /** Calls the listener with each new entry. Returns a function that ends this. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

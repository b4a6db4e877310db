import type { AddressId, Environment } from '../../contract/addresses.js'
import type { Change } from '../../operations/change.js'
import type { OperationId } from '../../operations/operations.js'

/** One request and its response, as recorded in the journal of a world. */
export interface JournalEntry {
  /** Consecutive number of the entry in its world, from 1. 0 if no journal has the entry. */
  readonly id: number
  /** Time of the response on the world's clock, in milliseconds since the epoch. */
  readonly atMs: number
  /** Real time between request and response, in milliseconds. */
  readonly durationMs: number
  readonly environment: Environment
  /**
   * The base address that received the request. Undefined for a request outside all addresses, which
   * only a handler of the user can respond to.
   */
  readonly address: AddressId | undefined
  readonly method: string
  /** Path below the base address, as sent, with keys masked. */
  readonly path: string
  /**
   * Part after the `?`, as sent, with credentials and keys masked; over HTTP, all values of requests
   * to a shared world. Empty if there is none.
   */
  readonly query: string
  /**
   * The operation that matched the request, also if a handler of the user responded in its place.
   * Undefined if none did.
   */
  readonly operation: string | undefined
  /** Whether a handler that the user added responded, in place of the sandbox. */
  readonly isUserHandled: boolean
  /** The most similar operation. Undefined if an operation matched, or none is similar. */
  readonly nearestOperation: OperationId | undefined
  /** The first 12 characters of the key and `…`. Undefined if the request has no key. */
  readonly apiKey: string | undefined
  /**
   * Name, value, name, value, with names in lower case. At most 50 headers, each value truncated
   * to 256 characters. Credentials and keys are masked, and of cookies only the names are recorded.
   * Over HTTP, the journal of a shared world has only content and negotiation headers.
   */
  readonly requestHeaders: readonly string[]
  /** Request body as a string, truncated to 4 KiB, with credentials and keys masked. */
  readonly requestBody: string | undefined
  /** HTTP status of the response. 0 if a fault closed the connection before the response. */
  readonly status: number
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** Name, value, name, value. */
  readonly responseHeaders: readonly string[]
  /**
   * Response body as a string, truncated to 4 KiB, with credentials and keys masked. Undefined for
   * the response of a user handler, which is not buffered.
   */
  readonly responseBody: string | undefined
  /** The decision of each processing step, in order. */
  readonly explanation: readonly string[]
  /** The changes that the request made in the world. */
  readonly changes: readonly Change[]
}

/** Calls each listener. An error that one throws is reported and does not reach the others. */
export function notifyListeners<Args extends readonly unknown[]>(
  listeners: Iterable<(...args: Args) => void>,
  reportError: (error: unknown) => void,
  ...args: Args
): void {
  for (const listener of listeners) {
    try {
      listener(...args)
    } catch (cause) {
      reportError(new Error('a listener of the sandbox threw an error', { cause }))
    }
  }
}

/** The most recent requests of a world, in a ring buffer. */
export class Journal {
  #ring: JournalEntry[] = []
  #next = 0
  #lastId = 0
  readonly #listeners = new Set<(entry: JournalEntry) => void>()

  /**
   * @param capacity Maximum number of retained entries. Older entries are removed first.
   * @param reportError Receives the errors that listeners throw.
   */
  constructor(
    readonly capacity: number,
    readonly reportError: (error: unknown) => void,
  ) {}

  /** Adds an entry, assigns its id and notifies the listeners. */
  record(entry: Omit<JournalEntry, 'id'>): JournalEntry {
    this.#lastId += 1
    const recorded: JournalEntry = { id: this.#lastId, ...entry }
    if (this.capacity > 0) {
      this.#ring[this.#next] = recorded
      this.#next = (this.#next + 1) % this.capacity
    }
    notifyListeners(this.#listeners, this.reportError, recorded)
    return recorded
  }

  /** Returns the retained entries, oldest first. */
  entries(): readonly JournalEntry[] {
    if (this.#ring.length < this.capacity) return [...this.#ring]
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
  }

  get size(): number {
    return this.#ring.length
  }

  /** Removes all entries. Ids continue from the last one. */
  clear(): void {
    this.#ring = []
    this.#next = 0
  }

  /** Registers a listener for new entries. Returns a function that removes it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

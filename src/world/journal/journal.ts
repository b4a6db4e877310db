import type { AddressId, Environment } from '../../contract/addresses.js'
import type { MemoryAccount } from '../../memory/account.js'
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
  /** HTTP status of the response. 0 if there was none: a fault closed the connection, or the client did. */
  readonly status: number
  /** Whether the client disconnected or aborted the request before the response. */
  readonly aborted: boolean
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
  /** The changes that the request made in the world. A message is truncated to 4 KiB. */
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

/** Share of the memory of a world that its journal may use. */
const journalShare = 1 / 4

/**
 * The most recent requests of a world. Older entries are removed first, beyond the capacity or the
 * memory that the journal may use.
 */
export class Journal {
  /** A ring buffer: the oldest entry is at `#start`. */
  #ring: JournalEntry[] = []
  /** The estimated memory of each entry in the ring buffer. */
  #sizes: number[] = []
  #start = 0
  #size = 0
  #bytes = 0
  /** The id of the latest entry, which may not have been added yet. */
  lastId = 0
  /** The id of the latest entry that was added, although it may not be retained. 0 if there is none. */
  newestId = 0
  /** The id up to which `clear` has removed the entries. */
  clearedId = 0
  /** Called when the number of listeners has changed. */
  onListeners: (count: number) => void = () => {}
  /** Created with the first listener. */
  #listeners: Set<(entry: JournalEntry) => void> | undefined

  /**
   * @param capacity Maximum number of retained entries.
   * @param memory Account of the world.
   * @param reportError Receives the errors that listeners throw.
   */
  constructor(
    readonly capacity: number,
    readonly memory: MemoryAccount,
    readonly reportError: (error: unknown) => void,
  ) {}

  /** Returns the id of the next entry. Each call returns another one. */
  takeId(): number {
    this.lastId += 1
    return this.lastId
  }

  /** Adds an entry whose id `takeId` has returned, and notifies the listeners. */
  add(entry: JournalEntry): void {
    this.load(entry)
    if (this.#listeners) notifyListeners(this.#listeners, this.reportError, entry)
  }

  /** Returns the retained entries, oldest first. */
  entries(): readonly JournalEntry[] {
    const end = this.#start + this.#size
    if (end <= this.#ring.length) return this.#ring.slice(this.#start, end)
    return [...this.#ring.slice(this.#start), ...this.#ring.slice(0, end - this.#ring.length)]
  }

  get size(): number {
    return this.#size
  }

  /** Removes the entries up to an id, which is at least that of the latest one. Ids continue. */
  clear(id = this.lastId): void {
    this.#removeAll()
    this.clearedId = id
  }

  /** Removes all entries of the run that has ended. Ids continue from the last one. */
  restart(): void {
    this.#removeAll()
    this.newestId = 0
    this.clearedId = 0
  }

  #removeAll(): void {
    this.memory.release('journals', this.#bytes)
    this.#ring = []
    this.#sizes = []
    this.#start = 0
    this.#size = 0
    this.#bytes = 0
  }

  /** Registers a listener for new entries. Returns a function that removes it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    this.onListeners(this.#listeners.size)
    return () => {
      const isRemoved = this.#listeners?.delete(listener)
      if (isRemoved) this.onListeners(this.#listeners?.size ?? 0)
      return isRemoved
    }
  }

  /** Adds an entry of an earlier request, and removes the oldest ones until it fits. */
  load(entry: JournalEntry): void {
    this.newestId = entry.id
    if (this.capacity === 0 || entry.id <= this.clearedId) return
    const bytes = estimateBytes(entry)
    const limit = this.memory.options.limit * journalShare
    let freed = 0
    while (this.#size === this.capacity || (this.#size > 0 && this.#bytes + bytes > limit)) {
      freed += this.#removeOldest()
    }
    // One change of the account: a full journal replaces an entry with each request.
    while (!this.memory.tryChange('journals', bytes - freed)) {
      if (this.#size === 0) {
        this.memory.release('journals', freed)
        return
      }
      freed += this.#removeOldest()
    }
    this.#bytes += bytes
    const at = (this.#start + this.#size) % this.capacity
    this.#ring[at] = entry
    this.#sizes[at] = bytes
    this.#size += 1
  }

  /** Removes the oldest entry. Returns its bytes, which the caller releases. */
  #removeOldest(): number {
    const bytes = this.#sizes[this.#start] ?? 0
    this.#bytes -= bytes
    delete this.#ring[this.#start]
    this.#start = (this.#start + 1) % this.capacity
    this.#size -= 1
    return bytes
  }
}

/** Size of an entry without its strings, in bytes (measured). */
const entryBytes = 700
/** Size of a string without its characters, in bytes. */
const stringBytes = 24

/** Estimates the memory that an entry uses. */
function estimateBytes(entry: JournalEntry): number {
  const { path, query, requestHeaders, responseHeaders, explanation, changes } = entry
  const { requestBody = '', responseBody = '' } = entry
  const strings = requestHeaders.length + responseHeaders.length / 2 + explanation.length
  let characters = path.length + query.length + requestBody.length + responseBody.length
  for (const text of requestHeaders) characters += text.length
  for (const text of explanation) characters += text.length
  return entryBytes + strings * stringBytes + characters + estimateChanges(changes)
}

function estimateChanges(changes: readonly Change[]): number {
  let bytes = 0
  for (const change of changes) {
    bytes += 150 + (change.type === 'message.queued' ? change.message.message.length : 0)
  }
  return bytes
}

import { freezeDeep } from '../../service/freeze.js'
import type { PendingRequest, RecordedEntry } from './entry.js'
import { type RequestFact, RequestFacts, Ring } from './facts.js'

/** A journal at one time: of a world in this process, or of a remote one. */
export interface JournalView {
  /** Maximum number of retained entries. */
  readonly capacity: number
  /** The retained entries, oldest first. */
  readonly entries: readonly RecordedEntry[]
  /** The requests that have no response yet, oldest first. */
  readonly pending: readonly PendingRequest[]
  /** Number of entries since the last `clear` that are no longer retained. */
  readonly dropped: number
  /** Requests to shared worlds that this world may have been meant to receive. */
  readonly strays?: readonly RecordedEntry[]
}

/** Number of requests at the same time beyond which it may be unknown which of them came first. */
const maximumConcurrent = 256

let latestOrder = 0

/** Returns the next place in the order of the requests and responses of this process. */
export function takeOrder(): number {
  latestOrder += 1
  return latestOrder
}

/**
 * The most recent requests of a world. Older entries are dropped first, beyond the capacity or the
 * size that the journal may have.
 */
export class Journal {
  /** The id of the latest entry, which may not have been added yet. */
  lastId = 0
  /** The id of the latest entry that was added, although it may not be retained. 0 if there is none. */
  newestId = 0
  /** The id up to which the entries were removed: by `clear`, or because the world restarted. */
  clearedId = 0
  /** Called when the number of listeners has changed. */
  onListeners: (count: number) => void = () => {}
  /** Called when entries were removed by `clear`. */
  onClear: () => void = () => {}
  /** Called before the entries are removed: by `clear`, or because the world restarts. */
  beforeClear: (() => void) | undefined
  readonly #ring: Ring<RecordedEntry>
  /** The latest responses that were sent: ids and orders, oldest first. */
  #sent: { readonly id: number; readonly order: number }[] = []
  /** Receive new entries. */
  readonly listeners = new Set<(entry: RecordedEntry) => void>()
  /**
   * The requests that have no response yet, each with a function that records it if its client has
   * aborted it.
   *
   * @internal
   */
  readonly pending = new Map<PendingRequest, () => void>()
  /** By id, a promise for each entry whose response is known not to have been sent yet. */
  readonly unsent = new Map<number, Promise<void>>()
  /** The requests since the last `clear`, for reports: more than are retained as entries. */
  readonly facts: RequestFacts
  /**
   * Requests of a test to shared worlds. A fixture sets it.
   *
   * @internal
   */
  strays: readonly RecordedEntry[] = []

  /**
   * @param capacity Maximum number of retained entries.
   * @param maximumBytes Maximum size of the retained entries, and of the retained facts.
   * @param hasRoom Whether the world has room for more bytes.
   * @param reportError Receives the errors that listeners throw.
   */
  constructor(
    readonly capacity: number,
    maximumBytes: number,
    hasRoom: (bytes: number) => boolean,
    readonly reportError: (error: unknown) => void,
  ) {
    this.#ring = new Ring(capacity, maximumBytes, hasRoom)
    this.facts = new RequestFacts(maximumBytes, hasRoom)
  }

  /** Returns the id of the next entry. Each call returns another one. */
  takeId(): number {
    this.lastId += 1
    return this.lastId
  }

  /**
   * Returns the journal at this time. Requests that their clients have aborted are recorded first:
   * a client may look for one before the event that reports its abort.
   */
  read(): JournalView {
    for (const detectAbort of this.pending.values()) detectAbort()
    return {
      capacity: this.capacity,
      entries: this.entries(),
      pending: [...this.pending.keys()],
      dropped: this.dropped,
      strays: this.strays,
    }
  }

  /** Returns the retained entries, oldest first. They are frozen, because all readers share them. */
  entries(): readonly RecordedEntry[] {
    return this.#ring.list().map(freezeDeep)
  }

  /** Estimated size of the retained entries and facts, in bytes. */
  get bytes(): number {
    return this.#ring.bytes + this.facts.ring.bytes
  }

  /** Number of retained entries. */
  get size(): number {
    return this.#ring.size
  }

  /** Number of entries since the last `clear` that are no longer retained. Ids have no gap. */
  get dropped(): number {
    return Math.max(0, this.newestId - this.clearedId - this.size)
  }

  /**
   * Adds an entry whose id `takeId` has returned, and notifies the listeners. Its response is sent
   * afterwards.
   *
   * @param fact What reports need of the request. Without it, they omit it.
   */
  add(entry: RecordedEntry, fact?: RequestFact): void {
    this.#retain(entry, fact)
    // In process, the client has the response in the next microtask at the earliest.
    // Jest replaces `queueMicrotask` by a fake.
    void Promise.resolve().then(() => {
      this.#sent.push({ id: entry.id, order: takeOrder() })
      if (this.#sent.length > maximumConcurrent) this.#sent.shift()
    })
    if (this.listeners.size > 0) notifyListeners(this.listeners, this.reportError, entry)
  }

  /** Adds an entry of an earlier request, whose response has been sent. */
  load(entry: RecordedEntry, fact?: RequestFact): void {
    this.#retain(entry, fact)
    this.#sent = [{ id: entry.id, order: 0 }]
  }

  /**
   * Returns the id of the latest entry whose response is known to have been sent before a request.
   *
   * @param order Result of `takeOrder` when the request arrived.
   */
  findSentBefore(order: number): number {
    for (let at = this.#sent.length - 1; at >= 0; at -= 1) {
      const sent = this.#sent[at]
      if (sent !== undefined && sent.order < order) return sent.id
    }
    return 0
  }

  #retain(entry: RecordedEntry, fact: RequestFact | undefined): void {
    this.newestId = entry.id
    if (entry.id <= this.clearedId) return
    if (fact) this.facts.add(fact)
    this.#ring.add(entry, estimateBytes(entry))
  }

  /** Removes the entries up to an id, which is at least that of the latest one. Ids continue. */
  clear(id = this.lastId): void {
    this.beforeClear?.()
    this.#removeAll(id)
    this.onClear()
  }

  /** Removes all entries of the run that has ended. Ids continue from the last one. */
  restart(): void {
    this.#removeAll(this.lastId)
    this.newestId = 0
    this.#sent = []
  }

  #removeAll(upTo: number): void {
    this.clearedId = upTo
    this.#ring.clear()
    this.facts.clear(upTo)
  }

  /** Registers a listener for new entries. Returns a function that removes it. */
  subscribe(listener: (entry: RecordedEntry) => void): () => void {
    const notify = (entry: RecordedEntry) => listener(freezeDeep(entry))
    this.listeners.add(notify)
    this.onListeners(this.listeners.size)
    return () => {
      if (this.listeners.delete(notify)) this.onListeners(this.listeners.size)
    }
  }
}

/** Size of an entry without its strings, in bytes. */
const entryBytes = 600
/** Size of a string without its characters, in bytes. */
const stringBytes = 24
/** Size of a change without its message, in bytes. */
const changeBytes = 150

/** Estimates the size of an entry, in bytes. */
function estimateBytes(entry: RecordedEntry): number {
  const { path, query, requestHeaders, responseHeaders, explanation, changes } = entry
  const { requestBody = '', responseBody = '' } = entry
  const strings = requestHeaders.length + responseHeaders.length / 2 + explanation.length
  let bytes = entryBytes + strings * stringBytes + changes.length * changeBytes
  bytes += path.length + query.length + requestBody.length + responseBody.length
  for (const text of requestHeaders) bytes += text.length
  for (const text of explanation) bytes += text.length
  for (const change of changes) {
    if (change.type === 'message.queued') bytes += change.message.message.length
  }
  return bytes
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

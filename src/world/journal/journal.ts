import { reportedRequests } from '../../service/bounds.js'
import { twoByte } from '../database/rows.js'
import { freezeDeep } from '../freeze.js'
import { Listeners } from '../listeners.js'
import type { PendingRequest, RecordedEntry } from './entry.js'
import type { FactState, RequestFact } from './facts.js'

/** Whether a world has room for more bytes, in addition to the retained bytes of the same kind. */
type HasRoom = (bytes: number, retainedBytes: number) => boolean

/** The latest items that a world has room for. Drops the oldest beyond its limits. */
export class Ring<Item extends object> {
  /** Estimated size of the items, in bytes. */
  bytes = 0
  /** The items, oldest first. Readers copy them. */
  items: Item[] = []
  #sizes: number[] = []

  /** @param estimate Estimates the size of an item, in bytes. */
  constructor(
    readonly capacity: number,
    readonly hasRoom: HasRoom,
    readonly estimate: (item: Item) => number,
  ) {}

  /** Adds an item, and drops the oldest items until it fits. Does not add an item that is too large. */
  add(item: Item): void {
    const bytes = this.estimate(item)
    while (this.items.length >= this.capacity || !this.hasRoom(bytes, this.bytes)) {
      if (!this.items.shift()) return
      this.bytes -= this.#sizes.shift() ?? 0
    }
    this.items.push(item)
    this.#sizes.push(bytes)
    this.bytes += bytes
  }

  clear(): void {
    this.items = []
    this.#sizes = []
    this.bytes = 0
  }
}

/** The requests of a world for reports: their number, and the latest of them. */
export class RequestFacts extends Ring<RequestFact> {
  /** Id of the last request. */
  #upTo = 0
  /** Number of requests by account, including dropped ones; '' for requests without a valid key. */
  received = new Map<string, number>()

  constructor(hasRoom: HasRoom) {
    super(reportedRequests, hasRoom, estimateFact)
  }

  /** Adds a request, unless it was added before. */
  override add(fact: RequestFact): void {
    if (fact.id <= this.#upTo) return
    this.#upTo = fact.id
    const account = fact.account ?? ''
    this.received.set(account, (this.received.get(account) ?? 0) + 1)
    super.add(fact)
  }

  override clear(): void {
    this.#upTo = 0
    this.received.clear()
    super.clear()
  }

  /** Returns the state, with the latest requests up to a number. Undefined without a request. */
  save(maximum = reportedRequests): FactState | undefined {
    if (this.received.size === 0) return undefined
    return { upTo: this.#upTo, received: [...this.received], latest: this.items.slice(-maximum) }
  }

  /** Continues from a saved state. */
  restore({ upTo, received, latest }: FactState): void {
    super.clear()
    for (const fact of latest) super.add(fact)
    this.#upTo = upTo
    this.received = new Map(received)
  }
}

/** Number of simultaneous requests beyond which their order may be unknown. */
const maximumConcurrent = 256

let latestOrder = 0

/** Returns the next position in the order of the requests and responses of this process. */
export function takeOrder(): number {
  latestOrder += 1
  return latestOrder
}

/**
 * The most recent requests of a world. The oldest entries are dropped beyond the capacity or the
 * maximum size of the journal.
 */
export class Journal {
  /** The id of the latest entry, which may not have been added yet. @internal */
  lastId = 0
  /** The id of the latest added entry, which may already be dropped. 0 if there is none. @internal */
  newestId = 0
  /** The id up to which the entries were removed: by `clear`, or because the world restarted. @internal */
  clearedId = 0
  /** Called when entries were removed by `clear`. @internal */
  onClear: () => void = () => {}
  /** Called before the entries are removed: by `clear`, or because the world restarts. @internal */
  beforeClear: (() => void) | undefined
  readonly #ring: Ring<RecordedEntry>
  /** The sent responses, oldest first. Responses of other processes have a time of the world. */
  #sent: { readonly id: number; readonly order: number; readonly atMs?: number }[] = []
  /** Receive new entries. @internal */
  readonly listeners: Listeners<[entry: RecordedEntry]>
  /** The requests without a response, each with a function that records it if it is aborted. @internal */
  readonly pending = new Map<PendingRequest, () => void>()
  /** By id, a promise for each entry whose response has not been sent yet. @internal */
  readonly unsent = new Map<number, Promise<void>>()
  /** The requests since the last `clear`, for reports. More requests than entries are retained. @internal */
  readonly facts: RequestFacts
  /** Requests of a test to shared worlds. A fixture sets it. @internal */
  strays: readonly RecordedEntry[] = []

  /**
   * @param capacity Maximum number of retained entries.
   * @param reportError Receives the errors that listeners throw. @internal
   */
  constructor(
    readonly capacity: number,
    hasRoom: HasRoom,
    reportError: (error: unknown) => void,
  ) {
    this.listeners = new Listeners(reportError)
    this.#ring = new Ring(capacity, hasRoom, estimateEntry)
    this.facts = new RequestFacts(hasRoom)
  }

  /** Returns the retained entries, oldest first. They are frozen, because all readers share them. */
  entries(): readonly RecordedEntry[] {
    return this.#ring.items.map(freezeDeep)
  }

  /** Estimated size of the retained entries and facts, in bytes. @internal */
  get bytes(): number {
    return this.#ring.bytes + this.facts.bytes
  }

  /** Number of retained entries. */
  get size(): number {
    return this.#ring.items.length
  }

  /** Number of dropped entries since the last `clear`. Ids have no gap. */
  get dropped(): number {
    return Math.max(0, this.newestId - this.clearedId - this.size)
  }

  /**
   * Adds an entry, and notifies the listeners. Its response is sent afterwards.
   *
   * @param fact Undefined if reports omit the request.
   * @param sentAtMs Present for an entry of another process; listeners are not notified of it. Requests
   * from this time of the world on were sent after its response. @internal
   */
  add(entry: RecordedEntry, fact?: RequestFact, sentAtMs?: number): void {
    this.newestId = entry.id
    if (entry.id > this.clearedId) {
      if (fact) this.facts.add(fact)
      this.#ring.add(entry)
    }
    if (this.#sent.length >= maximumConcurrent) this.#sent.shift()
    if (sentAtMs !== undefined) {
      this.#sent.push({ id: entry.id, order: 0, atMs: sentAtMs })
      return
    }
    // In process, the client has the response in the next microtask at the earliest.
    // Jest replaces `queueMicrotask` by a fake.
    void Promise.resolve().then(() => this.#sent.push({ id: entry.id, order: takeOrder() }))
    if (this.listeners.all.size > 0) this.listeners.notify(entry)
  }

  /**
   * Returns the id of the latest entry whose response was certainly sent before a request.
   *
   * @param order Result of `takeOrder` when the request arrived.
   * @param atMs Time of the world when the request arrived. @internal
   */
  findSentBefore(order: number, atMs: number): number {
    for (let index = this.#sent.length - 1; index >= 0; index--) {
      const sent = this.#sent[index]
      if (sent && sent.order < order && (sent.atMs ?? atMs) <= atMs) return sent.id
    }
    return 0
  }

  /** Removes the entries up to an id, which is at least the latest id. Ids continue. @internal */
  clear(id = this.lastId): void {
    this.#removeAll(id)
    this.onClear()
  }

  /** Removes all entries of the run that has ended. Ids continue from the last one. @internal */
  restart(): void {
    this.#removeAll(this.lastId)
    this.newestId = 0
    this.#sent = []
  }

  #removeAll(upTo: number): void {
    this.beforeClear?.()
    this.clearedId = upTo
    this.#ring.clear()
    this.facts.clear()
  }

  /** Registers a listener for new entries. Returns a function that removes it. */
  subscribe(listener: (entry: RecordedEntry) => void): () => void {
    return this.listeners.add((entry) => listener(freezeDeep(entry)))
  }
}

/** Estimates the size of a fact, in bytes. */
function estimateFact({ text }: RequestFact): number {
  return 300 + (twoByte.test(text) ? 2 : 1) * text.length
}

/** Estimates the size of an entry, in bytes. */
function estimateEntry(entry: RecordedEntry): number {
  const { path, query, requestHeaders, explanation, changes } = entry
  const { requestBody = '', responseBody = '' } = entry
  const texts = [path, query, requestBody, responseBody, ...requestHeaders, ...explanation]
  for (const change of changes) {
    if (change.type === 'message.queued') texts.push(change.message.message)
  }
  let bytes = 800 + 150 * changes.length
  // The ellipsis of a truncated text makes each of its characters occupy two bytes.
  for (const text of texts) bytes += 24 + (twoByte.test(text) ? 2 : 1) * text.length
  return bytes
}

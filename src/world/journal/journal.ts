import type { AddressId, Environment } from '../../service/addresses.js'
import type { Change } from '../../service/operations/change.js'
import type { OperationId } from '../../service/operations/operations.js'
import type { MemoryAccount } from '../memory-account.js'
import type { FactFields } from './fact-fields.js'
import { RequestFacts } from './facts.js'

/** One request and its response, as recorded in the journal of a world. */
export interface RecordedEntry {
  /** Consecutive number of the entry in its world, from 1. 0 if no journal has the entry. */
  readonly id: number
  /** The value of `X-Request-Id` in the response: that of the client, or one of the sandbox. */
  readonly requestId: string
  /** Time of the response on the world's clock, in milliseconds since the epoch. */
  readonly atMs: number
  /** Real time between request and response, in milliseconds with three decimals. */
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
  /**
   * The parts that the journal has truncated, or does not retain: `path`, `query`, `requestHeaders` if
   * some are missing, `requestHeaders.x-trace` for a truncated value, `requestBody` and `responseBody`.
   * Undefined if the entry is complete.
   */
  readonly incomplete?: readonly string[] | undefined
}

/** A request that has been received, and has no response yet. */
export interface PendingRequest {
  /** Time on the world's clock when its processing began, in milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly address: AddressId
  readonly method: string
  /** Path below the base address, as sent, with keys masked. */
  readonly path: string
  /** Undefined if no operation matched. */
  readonly operation: string | undefined
  /** The first 12 characters of the key and `…`. */
  readonly apiKey: string | undefined
}

/** The fields that the entries of a count have in common. */
interface CountedFields
  extends Pick<RecordedEntry, 'operation' | 'method' | 'status' | 'code' | 'isUserHandled'> {
  /** Whether the fields differ, because there are too many combinations of them. */
  readonly isMixed?: boolean | undefined
}

/** Number of entries with the same fields, including those that are no longer retained. */
export interface EntryCount extends CountedFields {
  count: number
  /** Largest `atMs`. */
  latestMs: number
}

/** The counts of a journal, as JSON can represent them. */
export interface CountState {
  /** Id of the last counted entry. */
  readonly upTo: number
  readonly counts: readonly EntryCount[]
}

/** Whether nothing matched: a request to which a handler of the user responded is one that the user expects. */
export function isUnmatched({ operation, isUserHandled }: RecordedEntry): boolean {
  return operation === undefined && !isUserHandled
}

/** Converts a list of names and values to an object with lower-case names. */
export function readHeaders(flat: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) {
    pairs.push([(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''])
  }
  return Object.fromEntries(pairs)
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

/** Maximum number of combinations of fields that are counted separately. */
const maximumCounts = 64
/** Maximum length of a method and of a code that are counted separately. */
const maximumName = 64
/** Memory of one count, in bytes. */
const countBytes = 300

const mixed = {
  operation: undefined,
  method: '',
  status: 0,
  code: undefined,
  isUserHandled: false,
  isMixed: true,
} as const

/** Counts the entries of a world by the fields that have few values, within a fixed memory. */
export class EntryCounts {
  /** At most `maximumCounts`, and one that is mixed. */
  #counts: readonly EntryCount[] = []
  /** Id of the last counted entry. */
  #upTo = 0
  /** The count of the last entry. Successive entries often have the same. */
  #last: EntryCount | undefined

  /** @param memory Account of the world. */
  constructor(readonly memory: MemoryAccount) {}

  /** Counts an entry, unless it was counted before. */
  add(entry: RecordedEntry): void {
    if (entry.id <= this.#upTo) return
    this.#upTo = entry.id
    const last = this.#last
    const found = last && isCountedAs(entry, last) ? last : this.find(entry)
    this.#last = found
    found.count += 1
    if (entry.atMs > found.latestMs) found.latestMs = entry.atMs
  }

  /** Returns the count of an entry with these fields. Creates it if there is none. */
  find(fields: CountedFields): EntryCount {
    const { operation, method, status, code, isUserHandled, isMixed } = fields
    const found = this.#counts.find((count) =>
      isMixed ? count.isMixed : isCountedAs(fields, count),
    )
    if (found) return found
    if (!isMixed && !this.#reserve(fields)) return this.find(mixed)
    const created: EntryCount = {
      ...{ operation, method, status, code, isUserHandled, isMixed },
      count: 0,
      latestMs: Number.MIN_SAFE_INTEGER,
    }
    this.#counts = this.#counts.concat(created)
    return created
  }

  #reserve({ method, code = '' }: CountedFields): boolean {
    const isShort = method.length <= maximumName && code.length <= maximumName
    const hasRoom = isShort && this.#counts.length < maximumCounts
    return hasRoom && this.memory.tryReserve('journals', countBytes)
  }

  /** Returns the counts. */
  list(): readonly EntryCount[] {
    return this.#counts
  }

  /** Discards all counts. Entries up to an id are not counted again. */
  clear(upTo: number): void {
    const separate = this.list().filter(({ isMixed }) => !isMixed)
    this.memory.release('journals', separate.length * countBytes)
    this.#counts = []
    this.#last = undefined
    this.#upTo = upTo
  }

  /** Returns the counts as JSON can represent them. */
  save(): CountState {
    return { upTo: this.#upTo, counts: this.list().map((count) => ({ ...count })) }
  }

  /** Continues from saved counts. */
  restore({ upTo, counts }: CountState): void {
    this.clear(upTo)
    for (const saved of counts) {
      const found = this.find(saved)
      found.count += saved.count
      found.latestMs = Math.max(found.latestMs, saved.latestMs)
    }
  }
}

/** Whether an entry has the fields of a count. */
export function isCountedAs(entry: CountedFields, count: EntryCount): boolean {
  return (
    entry.operation === count.operation &&
    entry.status === count.status &&
    entry.code === count.code &&
    entry.method === count.method &&
    entry.isUserHandled === count.isUserHandled &&
    !count.isMixed
  )
}

const noRequests: ReadonlyMap<PendingRequest, () => void> = new Map()

/** Share of the memory of a world that its journal may use. */
const journalShare = 1 / 4

/**
 * The most recent requests of a world. Older entries are removed first, beyond the capacity or the
 * memory that the journal may use.
 */
export class Journal {
  /** A ring buffer: the oldest entry is at `#start`. A removed entry is undefined. */
  #ring: (RecordedEntry | undefined)[] = []
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
  /** Called when entries were removed by `clear`. */
  onClear: () => void = () => {}
  /** Called before the entries are removed: by `clear`, or because the world restarts. */
  beforeClear: (() => void) | undefined
  /** Created with the first listener. */
  #listeners: Set<(entry: RecordedEntry) => void> | undefined
  /** Undefined if there are none: most worlds have no request most of the time. */
  #pending: Map<PendingRequest, () => void> | undefined
  /** Created on first use. */
  #unsent: Map<number, Promise<void>> | undefined
  /** The counts of all entries since the last `clear`. */
  readonly counts: EntryCounts
  /** Created with the first request. */
  #facts: RequestFacts | undefined
  /** Largest `atMs` of the dropped entries. Infinity if it is not known. */
  latestDroppedMs = Number.NEGATIVE_INFINITY

  /**
   * @param capacity Maximum number of retained entries.
   * @param memory Account of the world.
   * @param reportError Receives the errors that listeners throw.
   */
  constructor(
    readonly capacity: number,
    readonly memory: MemoryAccount,
    readonly reportError: (error: unknown) => void,
  ) {
    this.counts = new EntryCounts(memory)
  }

  /** Returns the id of the next entry. Each call returns another one. */
  takeId(): number {
    this.lastId += 1
    return this.lastId
  }

  /** The requests that have no response yet, each with a function that detects whether it was aborted. */
  get pending(): ReadonlyMap<PendingRequest, () => void> {
    return this.#pending ?? noRequests
  }

  /**
   * Adds a request to `pending`.
   *
   * @internal
   */
  addPending(request: PendingRequest, detectAbort: () => void): void {
    this.#pending ??= new Map()
    this.#pending.set(request, detectAbort)
  }

  /**
   * Removes a request from `pending`.
   *
   * @internal
   */
  removePending(request: PendingRequest): void {
    this.#pending?.delete(request)
    if (this.#pending?.size === 0) this.#pending = undefined
  }

  /** By id, a promise for each entry whose response is known not to have been sent yet. */
  get unsent(): Map<number, Promise<void>> {
    this.#unsent ??= new Map()
    return this.#unsent
  }

  /** The requests since the last `clear`, for reports: more than are retained as entries. */
  get facts(): RequestFacts {
    this.#facts ??= new RequestFacts(this.memory)
    return this.#facts
  }

  /**
   * Adds an entry whose id `takeId` has returned, and notifies the listeners.
   *
   * @param fields What a report needs besides. Without it, reports omit the request.
   */
  add(entry: RecordedEntry, fields?: FactFields): void {
    this.load(entry, fields)
    if (this.#listeners) notifyListeners(this.#listeners, this.reportError, entry)
  }

  /** Returns the retained entries, oldest first. */
  entries(): readonly RecordedEntry[] {
    for (const detectAbort of this.pending.values()) detectAbort()
    const end = this.#start + this.#size
    const beforeEnd = this.#ring.slice(this.#start, end)
    const afterEnd = this.#ring.slice(0, Math.max(0, end - this.#ring.length))
    return [...beforeEnd, ...afterEnd] as RecordedEntry[] // none of them was removed
  }

  get size(): number {
    return this.#size
  }

  /** Removes the entries up to an id, which is at least that of the latest one. Ids continue. */
  clear(id = this.lastId): void {
    this.beforeClear?.()
    this.#removeAll()
    this.clearedId = id
    this.counts.clear(id)
    this.#facts?.clear(id)
    this.onClear()
  }

  /** Removes all entries of the run that has ended. Ids continue from the last one. */
  restart(): void {
    this.#removeAll()
    this.newestId = 0
    this.clearedId = 0
    this.counts.clear(0)
    this.#facts?.clear(0)
  }

  #removeAll(): void {
    this.memory.release('journals', this.#bytes)
    this.latestDroppedMs = Number.NEGATIVE_INFINITY
    this.#ring = []
    this.#sizes = []
    this.#start = 0
    this.#size = 0
    this.#bytes = 0
  }

  /** Registers a listener for new entries. Returns a function that removes it. */
  subscribe(listener: (entry: RecordedEntry) => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    this.onListeners(this.#listeners.size)
    return () => {
      const isRemoved = this.#listeners?.delete(listener)
      if (isRemoved) this.onListeners(this.#listeners?.size ?? 0)
      return isRemoved
    }
  }

  /** Number of listeners for new entries. */
  get listenerCount(): number {
    return this.#listeners?.size ?? 0
  }

  /** Adds an entry of an earlier request, and removes the oldest ones until it fits. */
  load(entry: RecordedEntry, fields?: FactFields): void {
    this.newestId = entry.id
    if (entry.id <= this.clearedId) return
    this.counts.add(entry)
    if (fields) this.facts.add(entry, fields)
    if (this.capacity === 0) {
      this.#drop(entry)
      return
    }
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
        this.#drop(entry)
        return
      }
      freed += this.#removeOldest()
    }
    this.#bytes += bytes
    this.#size += 1
    if (this.#ring.length === 0) {
      // Without room for further entries, which most worlds do not have.
      this.#ring = [entry]
      this.#sizes = [bytes]
      return
    }
    const at = (this.#start + this.#size - 1) % this.capacity
    this.#ring[at] = entry
    this.#sizes[at] = bytes
  }

  #drop(entry: RecordedEntry | undefined): void {
    if (entry && entry.atMs > this.latestDroppedMs) this.latestDroppedMs = entry.atMs
  }

  /** Continues from saved counts, which may include entries that are not loaded. */
  restoreCounts(state: CountState): void {
    this.counts.restore(state)
    if (state.counts.length > 0) this.latestDroppedMs = Number.POSITIVE_INFINITY
  }

  /** Removes the oldest entry. Returns its bytes, which the caller releases. */
  #removeOldest(): number {
    const bytes = this.#sizes[this.#start] ?? 0
    this.#bytes -= bytes
    this.#drop(this.#ring[this.#start])
    // Faster than `delete` (measured).
    this.#ring[this.#start] = undefined
    this.#start = (this.#start + 1) % this.capacity
    this.#size -= 1
    return bytes
  }
}

/** Size of an entry without its strings, in bytes (measured). */
const entryBytes = 600
/** Size of a string without its characters, in bytes. */
const stringBytes = 24

/** Estimates the memory that an entry uses. */
function estimateBytes(entry: RecordedEntry): number {
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

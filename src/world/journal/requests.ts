import { maximumDelayMs, passTurns, startTimer, stopTimer } from '../../service/timers.js'
import { checkCount } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { describeFilter, describeMismatch, explainMismatch, type Mismatch } from './compare.js'
import {
  describeReceived,
  type JournalEntry,
  type JournalView,
  type PendingRequest,
  type RecordedEntry,
  toJournalEntry,
} from './entry.js'
import {
  checkPlain,
  type RequestConditions,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from './filter.js'
import type { Journal } from './journal.js'

/** Options of {@link Requests.waitFor}. */
export interface WaitOptions {
  /** Minimum number of matching requests to wait for. Default: 1. */
  readonly atLeast?: number | undefined
  /**
   * Real time to wait, in milliseconds. The world's clock and fake timers have no effect.
   * Default: 1000.
   */
  readonly timeoutMs?: number | undefined
}

/** The requests that match a filter, as far as the journal has them. */
export interface Matches {
  /** The retained entries that match. */
  readonly found: readonly RecordedEntry[]
  /** Maximum number of requests that match. Infinity if the journal has dropped entries. */
  readonly maximum: number
  /** Why there may be more than were found. */
  readonly reason: string
}

/** Searches a journal for the requests that match a filter. */
export function findMatches(journal: JournalView, filter: RequestFilter): Matches {
  const found: RecordedEntry[] = []
  const unknown: string[] = []
  for (const entry of journal.entries) {
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch) found.push(entry)
    else if (mismatch.isUnknown) unknown.push(describeUnknown(entry, mismatch))
  }
  for (const entry of journal.strays ?? []) {
    if (explainMismatch(entry, filter)?.isUnknown === false) continue
    const { method, path, status, apiKey = 'no key' } = entry
    unknown.push(`${method} ${path} → ${status} was sent with ${apiKey}, not sandbox.apiKey`)
  }
  if (journal.dropped > 0) return { found, maximum: Infinity, reason: describeDropped(journal) }
  return { found, maximum: found.length + unknown.length, reason: unknown.slice(-10).join('; ') }
}

function describeUnknown({ id }: RecordedEntry, mismatch: Mismatch): string {
  return `entry #${id}: ${describeMismatch(mismatch)}`
}

/**
 * Whether an entry matches a filter.
 *
 * @throws {Error} If the journal does not have what the filter compares.
 */
function matches(entry: RecordedEntry, filter: RequestFilter): boolean {
  const mismatch = explainMismatch(entry, filter)
  if (!mismatch?.isUnknown) return mismatch === undefined
  throw new Error(`cannot compare the journal ${describeUnknown(entry, mismatch)}`)
}

/** States how many entries a journal has dropped, and how to retain them. */
function describeDropped({ capacity, entries, dropped }: JournalView): string {
  const { length } = entries
  const option = length < capacity ? 'maxWorldMemory' : 'journalCapacity'
  return `the journal has dropped ${dropped} of ${dropped + length} entries; to retain more than ${length}, raise ${option}, or call requests.clear() first`
}

/** @throws {Error} If the journal does not have what the filter compares. */
export function findRequests(
  journal: JournalView,
  query: RequestQuery,
  conditions: RequestConditions,
): JournalEntry[] {
  const filter = toRequestFilter(query, journal.codes, conditions)
  return journal.entries.filter((entry) => matches(entry, filter)).map(toJournalEntry)
}

/** @throws {Error} If the journal does not have all requests that may match. */
export function countRequests(
  journal: JournalView,
  query: RequestQuery,
  conditions: RequestConditions,
): number {
  const { found, maximum, reason } = findMatches(
    journal,
    toRequestFilter(query, journal.codes, conditions),
  )
  if (maximum > found.length) throw new Error(`cannot count the requests: ${reason}`)
  return found.length
}

/** The requests that this world received: `world.requests`. */
export class Requests {
  /** @param readFaults Returns faults. A filter may have their codes. @internal */
  constructor(
    /** @internal */ readonly journal: Journal,
    /** @internal */ readonly readFaults: () => unknown = () => [],
  ) {}

  /**
   * Returns the retained requests that match an operation or a filter, oldest first. Default: all of
   * them.
   *
   * @param conditions Additional conditions.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, such as a long body.
   */
  find(query: RequestQuery = {}, conditions: RequestConditions = {}): JournalEntry[] {
    return findRequests(this.read(), query, conditions)
  }

  /**
   * Returns the number of requests that match an operation or a filter.
   *
   * @param conditions Additional conditions.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal has dropped entries, or does not have what the filter compares.
   */
  count(query: RequestQuery = {}, conditions: RequestConditions = {}): number {
    return countRequests(this.read(), query, conditions)
  }

  /** Returns the retained requests that matched no operation, oldest first. */
  unmatched(): JournalEntry[] {
    return this.find({ unmatched: true })
  }

  /**
   * Returns the requests that have been received and have no response yet, oldest first, for example
   * because a fault delays them. Not those without a valid key.
   */
  pending(): readonly PendingRequest[] {
    return this.read().pending.map((request) => ({ ...request }))
  }

  /** Removes all entries of the journal. Ids continue. */
  clear(): void {
    this.journal.clear()
  }

  /**
   * Returns the journal at this time. Requests that their clients have aborted are recorded first:
   * a client may look for one before the event that reports its abort. @internal
   */
  read(): JournalView {
    const { capacity, pending, strays } = this.journal
    for (const detectAbort of pending.values()) detectAbort()
    const entries = this.journal.entries()
    const codes = new Set(entries.flatMap(({ code }) => code ?? []))
    const inFaults = JSON.stringify(this.readFaults()).matchAll(/"code":"(\w+)"/g)
    for (const [, code = ''] of inFaults) codes.add(code)
    const { dropped } = this.journal
    return { capacity, entries, pending: [...pending.keys()], dropped, codes: [...codes], strays }
  }

  /**
   * Waits for a request that matches an operation or a filter, and until the client can have received
   * its response. Requests that are already in the journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with the error of
   * an asymmetric matcher if one throws, and if the journal does not have what decides.
   *
   * @returns The matching entry. With `atLeast`, the last of them.
   * @throws {TypeError} Synchronously, if an option or a field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const journal = this.read()
    const filter = toRequestFilter(query, journal.codes)
    const wait = new RequestWait(filter, options, () => describeReceived(this.read()))
    const stop = this.journal.subscribe((entry) => wait.add(entry))
    wait.start(journal)
    wait.matched.then(stop, stop)
    return wait.matched.then(async (entry) => {
      await this.journal.unsent.get(entry.id)
      await passTurns(deliveryTurns)
      return toJournalEntry(entry)
    })
  }
}

/** Turns of the event loop in which a client in the same process receives a response (measured). */
const deliveryTurns = 3

/** Waits until a number of requests match a filter: those of a journal, and then new ones. */
export class RequestWait {
  /** Resolves to the last of the requests. */
  readonly matched: Promise<RecordedEntry>
  readonly #atLeast: number
  #count = 0
  #resolve: (entry: RecordedEntry) => void = () => {}
  /** Ends the wait with an error. */
  fail: (error: unknown) => void = () => {}

  /**
   * @param describeRequests Describes the received requests for the error on timeout.
   * @throws {TypeError} If an option is unknown or invalid.
   */
  constructor(
    readonly filter: RequestFilter,
    options: WaitOptions,
    describeRequests: () => string,
  ) {
    checkPlain(options, ['atLeast', 'timeoutMs'], 'the second argument')
    const { atLeast = 1, timeoutMs = 1_000 } = options
    checkCount('atLeast', atLeast, 1)
    if (!(timeoutMs >= 0 && timeoutMs <= maximumDelayMs)) {
      const found = describeValue(timeoutMs)
      throw new TypeError(`timeoutMs must be a number from 0 to ${maximumDelayMs}, found ${found}`)
    }
    this.#atLeast = atLeast
    // Created now, so that its stack trace contains the caller.
    const failure = new Error()
    this.matched = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.fail = reject
    })
    const timer = startTimer(() => {
      const received = atLeast === 1 ? 'none' : `${this.#count} of ${atLeast}`
      const message = `waited ${timeoutMs} ms for ${describeFilter(filter)}, but received ${received}.\n\n${describeRequests()}`
      const stack = failure.stack?.replace(/^Error/, () => `Error: ${message}`)
      this.fail(Object.assign(failure, { message, stack }))
    }, timeoutMs)
    const stop = () => stopTimer(timer)
    this.matched.then(stop, stop)
  }

  /** Counts the requests of a journal. Fails if the journal does not have what decides. */
  start(journal: JournalView): void {
    try {
      // A request without the key of the test may still be followed by the wanted one.
      const { found, maximum, reason } = findMatches({ ...journal, strays: [] }, this.filter)
      this.#count = found.length
      const last = found[this.#atLeast - 1]
      if (last) this.#resolve(last)
      else if (maximum >= this.#atLeast) throw new Error(`cannot wait for the request: ${reason}`)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Counts a new request. */
  add(entry: RecordedEntry): void {
    try {
      if (!matches(entry, this.filter)) return
      this.#count += 1
      if (this.#count === this.#atLeast) this.#resolve(entry)
    } catch (error) {
      this.fail(error)
    }
  }
}

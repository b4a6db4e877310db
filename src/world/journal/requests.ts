import { maximumDelayMs, passTurns, startTimer, stopTimer } from '../../service/timers.js'
import { checkCount } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { describeFilter, explainMismatch } from './compare.js'
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

/** The requests that match a filter, with the uncertainty of an incomplete journal. */
interface Matches {
  /** The retained entries that match. */
  readonly found: readonly RecordedEntry[]
  /** Maximum number of requests that match. Infinity if the journal has dropped entries. */
  readonly maximum: number
  /** Why there may be further requests. Empty if there are none. */
  readonly reason: string
}

/** A journal, or only some of its entries. */
type JournalPart = Pick<JournalView, 'entries'> & Partial<JournalView>

/** Searches a journal for the requests that match a filter. */
export function findMatches(journal: JournalPart, filter: RequestFilter): Matches {
  const { capacity = 0, entries, dropped = 0, strays = [], pending = [] } = journal
  const found: RecordedEntry[] = []
  const unknown: string[] = []
  for (const entry of entries) {
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch) found.push(entry)
    else if (mismatch.isUnknown) unknown.push(`entry #${entry.id}: ${mismatch.describe()}`)
  }
  for (const entry of strays) {
    if (explainMismatch(entry, filter)?.isUnknown === false) continue
    const { method, path, status, apiKey = 'no key' } = entry
    unknown.push(`${method} ${path} → ${status} was sent with ${apiKey}, not sandbox.apiKey`)
  }
  // The missing fields of a pending request. Without a response, it meets no condition on the response.
  const absent = { requestHeaders: [], incomplete: ['query', 'requestHeaders', 'requestBody'] }
  for (const request of pending) {
    const entry = { ...absent, ...request } as object as RecordedEntry // only its other fields are read
    if (explainMismatch(entry, filter)?.isUnknown === false) continue
    unknown.push(`${request.method} ${request.path} is pending; await it first`)
  }
  if (dropped > 0) {
    const { length } = entries
    const option = length < capacity ? 'maxWorldMemory' : 'journalCapacity'
    const reason = `the journal has dropped ${dropped} of ${dropped + length} entries; to retain more than ${length}, raise ${option}, or call requests.clear() first`
    return { found, maximum: Infinity, reason }
  }
  return { found, maximum: found.length + unknown.length, reason: unknown.slice(-10).join('; ') }
}

/** @throws {Error} If the journal lacks a part that the filter compares. */
export function findRequests({ entries }: JournalView, filter: RequestFilter): JournalEntry[] {
  const { found, reason } = findMatches({ entries }, filter)
  if (reason !== '') throw new Error(`cannot compare the journal ${reason}`)
  return found.map(toJournalEntry)
}

/** @throws {Error} If the journal lacks requests that may match. */
export function countRequests(journal: JournalView, filter: RequestFilter): number {
  const { found, reason } = findMatches(journal, filter)
  if (reason !== '') throw new Error(`cannot count the requests: ${reason}`)
  return found.length
}

/** The requests that this world received: `world.requests`. */
export class Requests {
  /** @param readFaults Returns faults, whose codes a filter may have. @internal */
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
   * @throws {Error} If the journal lacks a compared part, such as the end of a long body.
   */
  find(query: RequestQuery = {}, conditions: RequestConditions = {}): JournalEntry[] {
    const journal = this.read()
    return findRequests(journal, toRequestFilter(query, journal.codes, conditions))
  }

  /**
   * Returns the number of requests that match an operation or a filter.
   *
   * @param conditions Additional conditions.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If a pending request may match, or the journal lacks entries or a compared part.
   */
  count(query: RequestQuery = {}, conditions: RequestConditions = {}): number {
    const journal = this.read()
    return countRequests(journal, toRequestFilter(query, journal.codes, conditions))
  }

  /** Returns the retained requests that matched no operation, oldest first. */
  unmatched(): JournalEntry[] {
    return this.find({ unmatched: true })
  }

  /**
   * Returns the requests without a response so far, oldest first, for example delayed ones. Omits
   * requests without a valid key.
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
   * Rejects on timeout with an `Error` that lists the received requests. Also rejects if an asymmetric
   * matcher throws, or the journal lacks a compared part.
   *
   * @returns The matching entry. With `atLeast`, the last of them.
   * @throws {TypeError} Synchronously, if an option or a field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const journal = this.read()
    const filter = toRequestFilter(query, journal.codes)
    const describe = () => describeReceived(this.read())
    const matched = waitForRequest(filter, options, describe, (see) => {
      // The wanted request may follow a pending request, or a request without the key of the test.
      see({ ...journal, strays: [], pending: [] })
      return this.journal.subscribe((entry) => see({ entries: [entry] }))
    })
    return matched.then(async (entry) => {
      await this.journal.unsent.get(entry.id)
      // A client in the same process receives the response within three turns (measured).
      await passTurns(3)
      return toJournalEntry(entry)
    })
  }
}

/**
 * Waits until a number of requests match a filter. Resolves to the last of them.
 *
 * @param describeRequests Describes the received requests for the error on timeout.
 * @param follow Passes a journal, and then each new request, to `see`. Returns a function that ends it.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function waitForRequest(
  filter: RequestFilter,
  options: WaitOptions,
  describeRequests: () => string,
  follow: (see: (journal: JournalPart) => void, fail: (error: unknown) => void) => () => void,
): Promise<RecordedEntry> {
  checkPlain(options, ['atLeast', 'timeoutMs'], 'the second argument')
  const { atLeast = 1, timeoutMs = 1_000 } = options
  checkCount('atLeast', atLeast, 1)
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0 && timeoutMs <= maximumDelayMs)) {
    const found = describeValue(timeoutMs)
    throw new TypeError(`timeoutMs must be a number from 0 to ${maximumDelayMs}, found ${found}`)
  }
  // Created now, so that its stack trace contains the caller.
  const failure = new Error()
  let end = () => {}
  const matched = new Promise<RecordedEntry>((resolve, reject) => {
    let count = 0
    let maximum = 0
    let reason = ''
    const timer = startTimer(() => {
      const received = atLeast === 1 ? 'none' : `${count} of ${atLeast}`
      const message = `waited ${timeoutMs} ms for ${describeFilter(filter)}, but received ${received}.\n\n${describeRequests()}`
      const stack = failure.stack?.replace(/^Error/, () => `Error: ${message}`)
      reject(Object.assign(failure, { message, stack }))
    }, timeoutMs)
    const stop = follow((journal) => {
      try {
        const matches = findMatches(journal, filter)
        const last = matches.found[atLeast - count - 1]
        count += matches.found.length
        maximum += matches.maximum
        reason ||= matches.reason
        if (last) resolve(last)
        else if (maximum >= atLeast) reject(new Error(`cannot wait for the request: ${reason}`))
      } catch (error) {
        reject(error)
      }
    }, reject)
    end = () => {
      stopTimer(timer)
      stop()
    }
  })
  return matched.finally(() => end())
}

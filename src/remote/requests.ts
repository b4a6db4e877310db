import { describeEntries, describeFilter, receivedHeading } from '../world/journal/describe.js'
import {
  matches,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from '../world/journal/filter.js'
import type { RecordedEntry } from '../world/journal/journal.js'
import { type JournalEntry, toJournalEntry } from '../world/journal/parts.js'
import {
  type Requests,
  readOptions,
  type WaitOptions,
  withMessage,
} from '../world/journal/requests.js'
import type { RemoteFeed } from './feed.js'
import type { RemoteJournal } from './journal.js'
import type { Remote } from './mapped.js'
import { startTimer, stopTimer } from './timers.js'

/** The requests that a remote world received. */
export class RemoteRequests
  implements Remote<Requests, 'find' | 'count' | 'unmatched' | 'waitFor'>
{
  readonly #journal: RemoteJournal
  readonly #feed: RemoteFeed

  constructor(journal: RemoteJournal, feed: RemoteFeed) {
    this.#journal = journal
    this.#feed = feed
  }

  /**
   * Resolves to the requests that match an operation or a filter, oldest first. Default: all requests.
   *
   * @throws {TypeError} If the operation or a field of the filter is unknown.
   */
  async find(query: RequestQuery = {}): Promise<JournalEntry[]> {
    const filter = toRequestFilter(query)
    const entries = await this.#journal.entries()
    return entries.filter((entry) => matches(entry, filter)).map(toJournalEntry)
  }

  /**
   * Resolves to the number of requests that match an operation or a filter.
   *
   * @throws {TypeError} If the operation or a field of the filter is unknown.
   */
  async count(query: RequestQuery = {}): Promise<number> {
    return (await this.find(query)).length
  }

  /** Resolves to the requests that matched no operation, oldest first. */
  unmatched(): Promise<JournalEntry[]> {
    return this.find({ unmatched: true })
  }

  /**
   * Waits for a request that matches an operation or a filter. Requests that are already in the
   * journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with a
   * `RemoteError` if the sandbox cannot be reached.
   *
   * @returns The matching entry. With `times`, the last of them.
   * @throws {TypeError} Synchronously, if an option or a field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, timeoutMs = 1_000 } = readOptions(options)
    const filter = toRequestFilter(query)
    // Created before the wait, so that its stack trace contains the caller.
    const timeout = new Error()
    return new Promise((resolve, reject) => {
      const counter = new MatchCounter(filter, times, resolve, reject)
      const listening = this.#feed.listen(counter)
      const timer = startTimer(() => {
        const received = times === 1 ? 'received none' : `received ${counter.count} of ${times}`
        const sentence = `waited ${timeoutMs} ms for ${describeFilter(filter)}, but ${received}`
        reject(withMessage(timeout, `${sentence}.\n\n${counter.describe()}`))
        counter.settle()
      }, timeoutMs)
      counter.onSettle = () => {
        stopTimer(timer)
        void listening.then(
          (stop) => stop(),
          () => {},
        )
      }
      // Entries that arrive in the meantime are counted after those of the journal.
      listening
        .then(() => this.#journal.entries())
        .then((entries) => counter.start(entries))
        .catch((error) => counter.onError(error))
    })
  }
}

/** Counts matching entries: those of the journal, and then new ones. */
class MatchCounter {
  count = 0
  onSettle = () => {}
  readonly entries: RecordedEntry[] = []
  #isStarted = false
  #isSettled = false

  constructor(
    readonly filter: RequestFilter,
    readonly times: number,
    readonly resolve: (entry: JournalEntry) => void,
    readonly reject: (error: unknown) => void,
  ) {}

  /** Counts the entries of the journal, and then those that arrived before. */
  start(retained: readonly RecordedEntry[]): void {
    const known = new Set(retained.map(({ id }) => id))
    const later = this.entries.splice(0).filter(({ id }) => !known.has(id))
    this.#isStarted = true
    for (const entry of [...retained, ...later]) this.onEntry(entry)
  }

  onEntry(entry: RecordedEntry): void {
    this.entries.push(entry)
    if (!this.#isStarted || this.#isSettled) return
    try {
      if (!matches(entry, this.filter)) return
      this.count += 1
      if (this.count < this.times) return
      this.resolve(toJournalEntry(entry))
      this.settle()
    } catch (error) {
      this.onError(error)
    }
  }

  onError(error: unknown): void {
    this.reject(error)
    this.settle()
  }

  /** Describes the entries so far. */
  describe(): string {
    const { length } = this.entries
    if (!this.#isStarted) return 'The sandbox did not send its journal in this time.'
    if (length === 0) {
      return 'This world received no requests. Check that the client sends the API key of this world.'
    }
    return `${receivedHeading} (${length}):\n${describeEntries(this.entries)}`
  }

  settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.onSettle()
  }
}

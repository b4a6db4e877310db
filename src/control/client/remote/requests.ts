import { startTimer, stopTimer } from '../../../service/timers.js'
import { describeReceived, describeWait } from '../../../world/journal/describe.js'
import {
  matches,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from '../../../world/journal/filter.js'
import type { PendingRequest, RecordedEntry } from '../../../world/journal/journal.js'
import { type JournalEntry, toJournalEntry } from '../../../world/journal/parts.js'
import {
  type Requests,
  readOptions,
  type WaitOptions,
  withMessage,
} from '../../../world/journal/requests.js'
import { countRequests, findMatched, findRequests } from '../../../world/journal/tally.js'
import { copyRequests, type RemoteSource, type RequestSource } from '../../../world/journal/view.js'
import type { RemoteClient } from './client.js'
import { type RequestCopy, readPending, readRequests } from './copy.js'
import type { RemoteFeed } from './feed.js'
import type { Remote } from './mapped.js'

/** The requests that a remote world received. */
export class RemoteRequests
  implements Remote<Requests, 'find' | 'count' | 'unmatched' | 'pending' | 'waitFor'>, RemoteSource
{
  readonly #client: RemoteClient
  readonly #feed: RemoteFeed

  constructor(client: RemoteClient, feed: RemoteFeed) {
    this.#client = client
    this.#feed = feed
  }

  /**
   * Resolves to the retained requests that match an operation or a filter, oldest first. Default: all
   * of them.
   *
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, such as a long body.
   */
  async find(query: RequestQuery = {}): Promise<JournalEntry[]> {
    const { journal, toFilter } = await readRequests(this.#client)
    return findRequests(journal, toFilter(query))
  }

  /**
   * Resolves to the number of requests that match an operation or a filter, including those that the
   * journal no longer retains.
   *
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, or has dropped entries that
   * may match. Dropped entries are counted by `operation`, `status`, `code`, `method` and `unmatched`.
   */
  async count(query: RequestQuery = {}): Promise<number> {
    const { journal, toFilter } = await readRequests(this.#client)
    return countRequests(journal, toFilter(query))
  }

  /**
   * Resolves to the requests that have been received and have no response yet, oldest first. Not
   * those without a valid key.
   */
  async pending(): Promise<readonly PendingRequest[]> {
    const { pending } = await this.#client.send('getJournal', { query: { limit: 0 } })
    return pending.map(readPending)
  }

  /**
   * Copies the requests for matchers.
   *
   * @internal
   */
  [copyRequests](): Promise<RequestSource> {
    return readRequests(this.#client)
  }

  /** Resolves to the retained requests that matched no operation, oldest first. */
  unmatched(): Promise<JournalEntry[]> {
    return this.find({ unmatched: true })
  }

  /**
   * Waits for a request that matches an operation or a filter. Requests that are already in the
   * journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with a
   * `RemoteError` if the sandbox cannot be reached, with a `TypeError` if the code of the filter is
   * unknown, and if the journal does not have what the filter compares.
   *
   * @returns The matching entry. With `times`, the last of them.
   * @throws {TypeError} Synchronously, if an option or another field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, timeoutMs = 1_000 } = readOptions(options)
    // The sandbox knows the codes of its faults.
    const anyCode = typeof query === 'object' && typeof query?.code === 'string' ? [query.code] : []
    const filter = toRequestFilter(query, anyCode)
    // Created before the wait, so that its stack trace contains the caller.
    const timeout = new Error()
    return new Promise((resolve, reject) => {
      const counter = new MatchCounter(filter, times, resolve, reject)
      const listening = this.#feed.listen(counter)
      const timer = startTimer(() => {
        const wait = { filter, times, count: counter.count, timeoutMs }
        reject(withMessage(timeout, describeWait(wait, counter.describe())))
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
        .then(() => readRequests(this.#client))
        .then((copy) => {
          copy.toFilter(query)
          counter.start(copy)
        })
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

  /** Counts the requests of a copy, and then those that arrived after it. */
  start({ journal, newestId }: RequestCopy): void {
    const later = this.entries.splice(0).filter(({ id }) => id > newestId)
    this.entries.push(...journal.entries())
    this.#isStarted = true
    const { count, last } = findMatched(journal, this.filter, this.times)
    this.count = count
    if (last) this.#finish(last)
    for (const entry of later) this.onEntry(entry)
  }

  onEntry(entry: RecordedEntry): void {
    this.entries.push(entry)
    if (!this.#isStarted || this.#isSettled) return
    try {
      if (!matches(entry, this.filter)) return
      this.count += 1
      if (this.count < this.times) return
      this.#finish(entry)
    } catch (error) {
      this.onError(error)
    }
  }

  #finish(entry: RecordedEntry): void {
    this.resolve(toJournalEntry(entry))
    this.settle()
  }

  onError(error: unknown): void {
    this.reject(error)
    this.settle()
  }

  /** Describes the entries so far. */
  describe(): string {
    if (!this.#isStarted) return 'The sandbox did not send its journal in this time.'
    return describeReceived({ entries: () => this.entries, pending: new Set() })
  }

  settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.onSettle()
  }
}

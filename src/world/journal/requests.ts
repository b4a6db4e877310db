import { maximumDelayMs, startImmediate, startTimer, stopTimer } from '../../service/timers.js'
import { checkCount, checkFields } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import type { Wait } from './describe.js'
import { matches, type RequestFilter, type RequestQuery, toRequestFilter } from './filter.js'
import type { Journal, PendingRequest, RecordedEntry } from './journal.js'
import { type JournalEntry, toJournalEntry } from './parts.js'
import { countRequests, findMatched, findRequests } from './tally.js'
import type { RequestSource } from './view.js'

/** Options of {@link Requests.waitFor}. */
export interface WaitOptions {
  /** Number of matching requests to wait for. Default: 1. */
  readonly times?: number | undefined
  /**
   * Real time to wait, in milliseconds. The world's clock and fake timers have no effect.
   * Default: 1000.
   */
  readonly timeoutMs?: number | undefined
}

/** Turns of the event loop in which a client in the same process receives a response (measured). */
const deliveryTurns = 3

/** The requests that a world received: `world.requests`. */
export class Requests implements RequestSource {
  /** @param readFaults Returns faults. A filter may have their codes. */
  constructor(
    readonly journal: Journal,
    readonly readFaults: () => unknown = () => [],
  ) {}

  /**
   * Returns the retained requests that match an operation or a filter, oldest first. Default: all of
   * them.
   *
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, such as a long body.
   */
  find(query: RequestQuery = {}): JournalEntry[] {
    return findRequests(this.journal, this.toFilter(query))
  }

  /**
   * Returns the number of requests that match an operation or a filter, including those that the
   * journal no longer retains.
   *
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, or has dropped entries that
   * may match. Dropped entries are counted by `operation`, `status`, `code`, `method` and `unmatched`.
   */
  count(query: RequestQuery = {}): number {
    return countRequests(this.journal, this.toFilter(query))
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
    // Ends those that were aborted.
    this.journal.entries()
    return [...this.journal.pending.keys()]
  }

  /**
   * Converts a query to a filter.
   *
   * @internal
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   */
  toFilter(query: RequestQuery, owner?: string): RequestFilter {
    return toRequestFilter(query, this.codes(), owner)
  }

  /**
   * Returns the codes that a filter may have in addition to those of the catalogue: of recorded
   * responses and of faults.
   *
   * @internal
   */
  codes(): readonly string[] {
    const recorded = this.journal.counts.list().flatMap(({ code }) => code ?? [])
    return [...recorded, ...readCodes(this.readFaults())]
  }

  /**
   * Waits for a request that matches an operation or a filter, and until the client can have received
   * its response. Requests that are already in the journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with the error of
   * an asymmetric matcher if one throws, and if the journal does not have what the filter compares.
   *
   * @returns The matching entry. With `times`, the last of them.
   * @throws {TypeError} Synchronously, if an option or a field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, timeoutMs = 1_000 } = readOptions(options)
    const filter = this.toFilter(query)
    // Created before the wait, so that its stack trace contains the caller.
    const failure = new Error()
    return this.#waitForEntry(filter, times, timeoutMs, failure).then(async (entry) => {
      await this.journal.unsent.get(entry.id)
      await passTurns(deliveryTurns)
      return toJournalEntry(entry)
    })
  }

  #waitForEntry(
    filter: RequestFilter,
    times: number,
    timeoutMs: number,
    failure: Error,
  ): Promise<RecordedEntry> {
    const { journal } = this
    return new Promise((resolve, reject) => {
      const matched = findMatched(journal, filter, times)
      if (matched.last) return resolve(matched.last)
      let { count } = matched
      const settle = (action: () => void) => {
        stop()
        stopTimer(timer)
        action()
      }
      const stop = journal.subscribe((entry) => {
        try {
          if (matches(entry, filter)) count += 1
          if (count >= times) settle(() => resolve(entry))
        } catch (error) {
          settle(() => reject(error))
        }
      })
      const timer = startTimer(() => {
        const wait = { filter, times, count, timeoutMs }
        settle(() => {
          describeTimeout(journal, wait).then(
            (message) => reject(withMessage(failure, message)),
            reject,
          )
        })
      }, timeoutMs)
    })
  }
}

/** Returns each `code` in faults. */
function readCodes(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
    name === 'code' && typeof field === 'string' ? field : readCodes(field),
  )
}

/** Loads what only a failure needs. */
async function describeTimeout(journal: Journal, wait: Wait): Promise<string> {
  const { describeReceived, describeWait } = await import('./describe.js')
  return describeWait(wait, describeReceived(journal))
}

/** Resolves after some turns of the event loop. */
async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => {
      // Browsers and jsdom have no `setImmediate`.
      if (startImmediate) startImmediate(resolve)
      else startTimer(resolve, 0)
    })
  }
}

/** @throws {TypeError} If an option is unknown or invalid. */
export function readOptions(options: WaitOptions): WaitOptions {
  checkFields(options, ['times', 'timeoutMs'], 'the second argument')
  const { times, timeoutMs } = options
  if (times !== undefined) checkCount('times', times, 1)
  if (timeoutMs === undefined || (timeoutMs >= 0 && timeoutMs <= maximumDelayMs)) return options
  const found = describeValue(timeoutMs)
  throw new TypeError(`timeoutMs must be a number from 0 to ${maximumDelayMs}, found ${found}`)
}

/** Sets the message of an error, in its stack too. */
export function withMessage(error: Error, message: string): Error {
  const frames = error.stack?.split('\n').slice(1) ?? []
  error.message = message
  error.stack = [`${error.name}: ${message}`, ...frames].join('\n')
  return error
}

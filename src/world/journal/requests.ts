import { checkCount, checkFields } from '../../validation/options.js'
import { describeValue } from '../../validation/validate.js'
import { describeEntries, type EntryNote } from './describe.js'
import {
  describeFilter,
  matches,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from './filter.js'
import type { Journal, JournalEntry } from './journal.js'

/** Returns the entries of a journal that match a filter, oldest first. */
export function findEntries(journal: Journal, filter: RequestFilter = {}): JournalEntry[] {
  return journal.entries().filter((entry) => matches(entry, filter))
}

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

/** Largest delay of a timer. A timer with a longer delay fires immediately. */
const maximumWaitMs = 2_147_483_647

/** The original timer functions. Test runners replace the global ones with fakes. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** The requests that a world received: `world.requests`. */
export class Requests {
  constructor(readonly journal: Journal) {}

  /**
   * Returns the requests that match an operation or a filter, oldest first. Default: all requests.
   *
   * @throws {TypeError} If the operation or a field of the filter is unknown.
   */
  find(query: RequestQuery = {}): JournalEntry[] {
    return findEntries(this.journal, toRequestFilter(query))
  }

  /**
   * Returns the number of requests that match an operation or a filter.
   *
   * @throws {TypeError} If the operation or a field of the filter is unknown.
   */
  count(query: RequestQuery = {}): number {
    return this.find(query).length
  }

  /** Returns the requests that matched no operation, oldest first. */
  unmatched(): JournalEntry[] {
    return this.find({ unmatched: true })
  }

  /**
   * Waits for a request that matches an operation or a filter. Requests that are already in the
   * journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with the error of
   * an asymmetric matcher if one throws.
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
      const found = findEntries(this.journal, filter)
      const nth = found[times - 1]
      if (nth) return resolve(nth)
      let count = found.length
      const settle = (action: () => void) => {
        stop()
        stopTimer(timer)
        action()
      }
      const stop = this.journal.subscribe((entry) => {
        try {
          if (matches(entry, filter)) count += 1
          if (count >= times) settle(() => resolve(entry))
        } catch (error) {
          settle(() => reject(error))
        }
      })
      const timer = startTimer(() => {
        const message = this.#describeTimeout(filter, times, count, timeoutMs)
        settle(() => reject(withMessage(timeout, message)))
      }, timeoutMs)
    })
  }

  #describeTimeout(filter: RequestFilter, times: number, count: number, timeoutMs: number): string {
    const received = times === 1 ? 'received none' : `received ${count} of ${times}`
    const sentence = `waited ${timeoutMs} ms for ${describeFilter(filter)}, but ${received}`
    return `${sentence}.\n\n${describeReceived(this.journal)}`
  }
}

/** @throws {TypeError} If an option is unknown or invalid. */
export function readOptions(options: WaitOptions): WaitOptions {
  checkFields(options, ['times', 'timeoutMs'], 'the second argument')
  const { times, timeoutMs } = options
  if (times !== undefined) checkCount('times', times, 1)
  if (timeoutMs === undefined || (timeoutMs >= 0 && timeoutMs <= maximumWaitMs)) return options
  const found = describeValue(timeoutMs)
  throw new TypeError(`timeoutMs must be a number from 0 to ${maximumWaitMs}, found ${found}`)
}

/** First words of the result of {@link describeReceived} if there are requests. */
export const receivedHeading = 'Requests received by this world'

/** Formats the requests of a journal with a heading, and an optional note for each. */
export function describeReceived(journal: Journal, note?: EntryNote): string {
  const entries = journal.entries()
  if (entries.length === 0) {
    return 'This world received no requests. Check that the client sends the API key of this world.'
  }
  return `${receivedHeading} (${entries.length}):\n${describeEntries(entries, note)}`
}

/** Sets the message of an error, in its stack too. */
export function withMessage(error: Error, message: string): Error {
  const frames = error.stack?.split('\n').slice(1) ?? []
  error.message = message
  error.stack = [`${error.name}: ${message}`, ...frames].join('\n')
  return error
}

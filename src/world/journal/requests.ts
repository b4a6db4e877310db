import { refuseBadCount, refuseUnknownFields } from '../../validation/known-fields.js'
import { describeValue } from '../../validation/validate.js'
import { describeEntries, type EntryNote } from './describe.js'
import { matches, type RequestFilter } from './filter.js'
import type { Journal, JournalEntry } from './journal.js'
import { describeFilter, type RequestQuery, toRequestFilter } from './query.js'

/** The calls in the journal that a filter means, oldest first. */
export function findEntries(journal: Journal, filter: RequestFilter = {}): JournalEntry[] {
  return journal.entries().filter((entry) => matches(entry, filter))
}

/** How long to wait for a call. */
export interface WaitOptions {
  /** Waits until so many calls came, and gives the last of them. Default: 1. */
  readonly times?: number
  /** Real milliseconds, whatever the world's clock and a test's fake timers do. Default: 1000. */
  readonly timeoutMs?: number
}

/** Past it a timer ends at once. */
const longestWaitMs = 2_147_483_647

/** Kept before a test may put fake ones in their place: a wait goes by the real time. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** The calls that reached a world, as a test asks for them: what `world.calls` is. */
export class Requests {
  constructor(readonly journal: Journal) {}

  /** The calls of an operation, or that a filter means, oldest first; without either, all of them. */
  find(query: RequestQuery = {}): JournalEntry[] {
    return findEntries(this.journal, toRequestFilter(query))
  }

  /** How many calls of an operation there were, or that a filter means. */
  count(query: RequestQuery = {}): number {
    return this.find(query).length
  }

  /** The calls that matched no operation, oldest first. */
  unmatched(): JournalEntry[] {
    return this.find({ unmatched: true })
  }

  /**
   * The call of an operation, or that a filter means: one that came already, or the next to come.
   *
   * @throws {TypeError} At once, when a field of the filter or an option is none.
   * @throws {Error} Rejects when none came in time, and says which calls came instead.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, timeoutMs = 1_000 } = readOptions(options)
    const filter = toRequestFilter(query)
    const found = findEntries(this.journal, filter)
    const nth = found[times - 1]
    if (nth) return Promise.resolve(nth)
    return this.#waitForNext(filter, times, found.length, timeoutMs)
  }

  #waitForNext(
    filter: RequestFilter,
    times: number,
    found: number,
    timeoutMs: number,
  ): Promise<JournalEntry> {
    // Made now, while the stack still leads to the test.
    const error = new Error()
    let count = found
    return new Promise((resolve, reject) => {
      const stop = this.journal.subscribe((entry) => {
        if (!matches(entry, filter)) return
        count += 1
        if (count < times) return
        stop()
        stopTimer(timer)
        resolve(entry)
      })
      const timer = startTimer(() => {
        stop()
        reject(complete(error, this.#describeWait(filter, times, count, timeoutMs)))
      }, timeoutMs)
    })
  }

  #describeWait(filter: RequestFilter, times: number, count: number, timeoutMs: number): string {
    const what = describeFilter(filter)
    const came = times === 1 ? 'none came' : `${count} of ${times} came`
    return `waited ${timeoutMs} ms for ${what}, but ${came}.\n\n${describeReceived(this.journal)}`
  }
}

function readOptions(options: WaitOptions): WaitOptions {
  refuseUnknownFields(options, ['times', 'timeoutMs'], 'the second argument')
  const { times, timeoutMs } = options
  if (times !== undefined) refuseBadCount('times', times, 1)
  if (timeoutMs === undefined || (timeoutMs >= 0 && timeoutMs <= longestWaitMs)) return options
  const found = describeValue(timeoutMs)
  throw new TypeError(`timeoutMs must be a number from 0 to ${longestWaitMs}, found ${found}`)
}

/** The calls of a journal under a heading, each with its explanation and a note. */
export function describeReceived(journal: Journal, note?: EntryNote): string {
  const entries = journal.entries()
  if (entries.length === 0) return 'No call reached this world: a call reaches it by its API key.'
  return `${receivedHeading} (${entries.length}):\n${describeEntries(entries, note)}`
}

/** What `describeReceived` begins with where there are calls. */
export const receivedHeading = 'The calls that reached this world'

/** An error with its message; its stack begins with the message. */
function complete(error: Error, message: string): Error {
  const frames = error.stack?.split('\n').slice(1) ?? []
  error.message = message
  error.stack = [`${error.name}: ${message}`, ...frames].join('\n')
  return error
}

import { readJournal } from '../control/remote/journal.js'
import type { RemoteWorld } from '../control/remote/world.js'
import { toCount } from '../service/validation/message.js'
import { checkCount } from '../service/validation/options.js'
import { describeValue } from '../service/validation/validate.js'
import { describeFilter, explainMismatch } from '../world/journal/compare.js'
import {
  describeEntries,
  describeReceived,
  type EntryNote,
  type JournalView,
  type RecordedEntry,
} from '../world/journal/entry.js'
import {
  checkPlain,
  filterFields,
  type RequestConditions,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from '../world/journal/filter.js'
import { findMatches, Requests } from '../world/journal/requests.js'

/** Additional conditions of `toHaveReceived`. */
export interface ExpectedRequests extends RequestConditions {
  /** Exact number of requests. Default: at least one. */
  readonly times?: number | undefined
  /** Minimum number of requests. Default: 1; with `atMost`, 0. */
  readonly atLeast?: number | undefined
  /** Maximum number of requests. */
  readonly atMost?: number | undefined
}

const expectedFields = ['times', 'atLeast', 'atMost', ...filterFields]

/** Result of a matcher. The test runner shows the message of a pass if `not` negates it. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** A remote handle. */
interface RemoteHandle {
  readonly requests: { pending(): Promise<unknown> }
}

/** A value of `expect` whose matchers return promises: a remote handle, or an object with one. */
export type RemoteReceiver = RemoteHandle | { readonly world: RemoteHandle }

/** Excludes `any`. */
export type NotAny<T> = 0 extends 1 & T ? never : T

/** The matchers of a remote handle. */
export interface RemoteMatchers {
  /** As for a world in this process. The assertion must be awaited. */
  toHaveReceived(query: RequestQuery, expected?: ExpectedRequests): Promise<void>
  /** As for a world in this process. The assertion must be awaited. */
  toHaveReceivedInOrder(queries: readonly RequestQuery[]): Promise<void>
  /** As for a world in this process. The assertion must be awaited. */
  toHaveReceivedNothingUnmatched(): Promise<void>
}

/** Result of a matcher that reads a remote world. Rejects where it would throw. */
export type MatcherOutcome = MatcherResult | Promise<MatcherResult>

/**
 * Checks that a world received requests that match an operation or a filter.
 *
 * @returns For a remote world, a promise.
 * @throws {Error} If the journal lacks a part that is compared, or a pending request may match: the
 * assertion fails, with and without `not`.
 */
export function toHaveReceived(
  received: unknown,
  query: RequestQuery,
  expected: ExpectedRequests = {},
  ...others: []
): MatcherOutcome {
  refuseOthers('the third argument of toHaveReceived', others)
  return judge(received, (journal) => judgeReceived(journal, query, expected))
}

function judgeReceived(
  journal: JournalView,
  query: RequestQuery,
  expected: ExpectedRequests,
): MatcherResult {
  checkPlain(expected, expectedFields, 'the expectation')
  const { times, atLeast, atMost, ...conditions } = expected
  const range = readRange(times, atLeast, atMost)
  const filter = toRequestFilter(query, journal.codes, conditions)
  const { found, maximum, reason } = findMatches(journal, filter)
  const subject = describeFilter(filter)
  const wanted = range.text === '' ? subject : `${subject} ${range.text}`
  if (found.length >= range.minimum && maximum <= range.maximum) {
    const message = `expected the world not to receive ${wanted}, but it did`
    return { pass: true, message: () => toMessage(message, describeEntries(found)) }
  }
  if (maximum >= range.minimum && found.length <= range.maximum) {
    throw new Error(`cannot tell whether the world received ${wanted}: ${reason}`)
  }
  const count = found.length
  const actual = count === 0 ? 'it did not' : `received it ${toCount(count, 'times')}`
  const message = `expected the world to receive ${wanted}, but ${actual}`
  const list = () => describeReceived(journal, createNote(filter))
  return { pass: false, message: () => toMessage(message, list()) }
}

/** The accepted numbers of requests. */
interface Range {
  readonly minimum: number
  readonly maximum: number
  /** Empty for the default. */
  readonly text: string
}

function readRange(
  times: number | undefined,
  atLeast: number | undefined,
  atMost: number | undefined,
): Range {
  for (const [name, count] of Object.entries({ times, atLeast, atMost })) {
    if (count !== undefined) checkCount(name, count, 0)
  }
  if (times !== undefined && (atLeast ?? atMost) !== undefined) {
    throw new TypeError('the expectation must have either times, or atLeast and atMost')
  }
  const minimum = times ?? atLeast ?? (atMost === undefined ? 1 : 0)
  const maximum = times ?? atMost ?? Number.POSITIVE_INFINITY
  if (minimum > maximum) {
    throw new TypeError(`atLeast must be at most atMost, found ${minimum} and ${maximum}`)
  }
  const counts = { '': times, 'at least ': atLeast, 'at most ': atMost }
  const text = Object.entries(counts)
    .flatMap(([limit, count]) => (count === undefined ? [] : limit + toCount(count, 'times')))
    .join(' and ')
  return { minimum, maximum, text }
}

/**
 * Checks that a world received requests in an order. Other requests may be in between. The order is the
 * order of the responses in the journal.
 *
 * @returns For a remote world, a promise.
 * @throws {Error} If the journal lacks a part that is compared, or a pending request may match.
 */
export function toHaveReceivedInOrder(
  received: unknown,
  queries: readonly RequestQuery[],
  ...others: []
): MatcherOutcome {
  refuseOthers('the second argument of toHaveReceivedInOrder', others)
  return judge(received, (journal) => judgeOrder(journal, queries))
}

function judgeOrder(journal: JournalView, queries: readonly RequestQuery[]): MatcherResult {
  if (!Array.isArray(queries) || queries.length === 0) {
    const found = describeValue(queries)
    throw new TypeError(
      `toHaveReceivedInOrder takes a list of operations and filters, found ${found}`,
    )
  }
  const filters = Array.from(queries, (query, at) =>
    toRequestFilter(query, journal.codes, {}, `the filter [${at}]`),
  )
  const steps = findSteps(journal.entries, filters, false)
  const wanted = filters.map((filter, at) => `  ${at + 1}. ${describeFilter(filter)}`).join('\n')
  const note: EntryNote = (entry) => {
    const step = steps.indexOf(entry)
    return step < 0 ? undefined : `is ${step + 1}.`
  }
  const list = () => describeReceived(journal, note)
  if (steps.length === filters.length) {
    const message = `expected the world not to receive, in this order:\n${wanted}\nbut it did`
    return { pass: true, message: () => toMessage(message, list()) }
  }
  const reason = explainUnknownOrder(journal, filters)
  if (reason !== undefined) {
    throw new Error(`cannot tell whether the world received, in this order:\n${wanted}: ${reason}`)
  }
  const missing = filters[steps.length]
  const last = steps.at(-1)
  const actual = last ? `after #${last.id} there is no` : 'there is no'
  const message = `expected the world to receive, in this order:\n${wanted}\nbut ${actual} ${missing && describeFilter(missing)}`
  return { pass: false, message: () => toMessage(message, list()) }
}

/** Returns the first entry for each filter after the previous entry, until there is none. */
function findSteps(
  entries: readonly RecordedEntry[],
  filters: readonly RequestFilter[],
  acceptsUnknown: boolean,
): readonly RecordedEntry[] {
  const steps: RecordedEntry[] = []
  for (const entry of entries) {
    const filter = filters[steps.length]
    if (!filter) break
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch || (acceptsUnknown && mismatch.isUnknown)) steps.push(entry)
  }
  return steps
}

/** Returns why requests may nevertheless have been received in an order. Undefined if they were not. */
function explainUnknownOrder(
  journal: JournalView,
  filters: readonly RequestFilter[],
): string | undefined {
  const { entries, pending, dropped, strays = [] } = journal
  // Pending requests are recorded after all entries.
  const missing = filters.slice(findSteps(entries, filters, true).length)
  const isMissing = missing.some(
    (each) => findMatches({ entries: [], pending }, each).maximum === 0,
  )
  if (dropped === 0 && strays.length === 0 && isMissing) return undefined
  const reasons = filters.map((filter) => {
    const { found, maximum, reason } = findMatches(journal, filter)
    return maximum > found.length ? reason : undefined
  })
  return reasons.find(Boolean)
}

/**
 * Checks that every request that a world received matched an operation.
 *
 * @returns For a remote world, a promise.
 * @throws {Error} If the journal has dropped entries.
 */
export function toHaveReceivedNothingUnmatched(received: unknown, ...others: []): MatcherOutcome {
  refuseOthers('the argument of toHaveReceivedNothingUnmatched', others)
  return judge(received, judgeUnmatched)
}

function judgeUnmatched(journal: JournalView): MatcherResult {
  const { found, maximum, reason } = findMatches(journal, { unmatched: true })
  if (found.length > 0) {
    const message = 'expected every request to match an operation, but these did not'
    return { pass: false, message: () => toMessage(message, describeEntries(found)) }
  }
  if (maximum > 0)
    throw new Error(`cannot tell whether every request matched an operation: ${reason}`)
  const message = 'expected a request that matches no operation, but there was none'
  return { pass: true, message: () => toMessage(message, describeReceived(journal)) }
}

/** @throws {TypeError} If a matcher has further arguments. */
function refuseOthers(name: string, others: readonly unknown[]): void {
  if (others.length === 0) return
  throw new TypeError(`${name} must be omitted, found ${describeValue(others[0])}`)
}

/** Explains for each request of a similar operation why it does not match the filter. */
function createNote(filter: RequestFilter): EntryNote {
  return (entry) => {
    const operation = entry.operation ?? entry.nearestOperation
    if (filter.operation !== undefined && filter.operation !== operation) return undefined
    const mismatch = explainMismatch(entry, filter)
    return mismatch && `not counted: ${mismatch.describe()}`
  }
}

/** Applies a matcher to the journal of a world or of a sandbox, or to a copy of a remote one. */
function judge(
  received: unknown,
  toResult: (journal: JournalView) => MatcherResult,
): MatcherOutcome {
  for (const value of [received, readField(received, 'world')]) {
    const requests = readField(value, 'requests')
    if (requests instanceof Requests) return toResult(requests.read())
    if (isRemote(value)) return value.control.getJournal().then(readJournal).then(toResult)
  }
  throw new TypeError(
    `the value of expect(…) must be a world or a sandbox, found ${describeValue(received)}`,
  )
}

function isRemote(value: unknown): value is RemoteWorld {
  return typeof readField(readField(value, 'control'), 'getJournal') === 'function'
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Reflect.get(value, name)
}

function toMessage(sentence: string, requests: string): string {
  return `${sentence}.\n\n${requests}`
}

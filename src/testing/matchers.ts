import { toCount } from '../service/validation/message.js'
import { checkCount, checkFields } from '../service/validation/options.js'
import { describeValue } from '../service/validation/validate.js'
import {
  describeEntries,
  describeFilter,
  describeReceived,
  type EntryNote,
} from '../world/journal/describe.js'
import {
  explainMismatch,
  filterFields,
  type RequestFilter,
  type RequestQuery,
} from '../world/journal/filter.js'
import type { RecordedEntry } from '../world/journal/journal.js'
import { Requests } from '../world/journal/requests.js'
import {
  countPending,
  createDoubtError,
  describeDropped,
  mayHaveDropped,
  tally,
} from '../world/journal/tally.js'
import {
  copyRequests,
  type JournalView,
  type RemoteSource,
  type RequestSource,
} from '../world/journal/view.js'

/** Additional conditions of `toHaveReceived`. */
export interface ExpectedRequests extends Omit<RequestFilter, 'operation' | 'unmatched'> {
  /** Exact number of requests. Default: at least one. */
  readonly times?: number | undefined
  /** Minimum number of requests. Default: 1; with `atMost`, 0. */
  readonly atLeast?: number | undefined
  /** Maximum number of requests. */
  readonly atMost?: number | undefined
}

const expectedFields = [
  ...['times', 'atLeast', 'atMost'],
  ...filterFields.filter((name) => name !== 'operation' && name !== 'unmatched'),
]

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

/** Excludes `any`, of which nothing is known. */
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
 * @throws {Error} If the journal does not have what decides: the assertion fails, with and without
 * `not`.
 */
export function toHaveReceived(
  received: unknown,
  query: RequestQuery,
  expected: ExpectedRequests = {},
): MatcherOutcome {
  return judge(received, (requests) => judgeReceived(requests, query, expected))
}

function judgeReceived(
  requests: RequestSource,
  query: RequestQuery,
  expected: ExpectedRequests,
): MatcherResult {
  const { journal } = requests
  checkFields(expected, expectedFields, 'the expectation')
  const { times, atLeast, atMost, ...conditions } = expected
  const range = readRange(times, atLeast, atMost)
  const filter = requests.toFilter({ ...requests.toFilter(query), ...conditions } as RequestQuery) // validated
  const { found, certain, possible, doubts } = tally(journal, filter)
  const subject = describeFilter(filter)
  const wanted = range.text === '' ? subject : `${subject} ${range.text}`
  const pending = countPending(journal, filter)
  // Their responses will decide.
  if (pending > 0 && (possible < range.minimum || range.maximum < Number.POSITIVE_INFINITY)) {
    const message = `cannot tell whether the world received ${wanted}, because of pending requests; await them first`
    throw new Error(toMessage(message, describeReceived(journal, createNote(filter))))
  }
  if (certain >= range.minimum && possible <= range.maximum) {
    const message = `expected the world not to receive ${wanted}, but it did`
    return { pass: true, message: () => toMessage(message, describeEntries(found)) }
  }
  if (possible >= range.minimum && certain <= range.maximum) {
    throw createDoubtError(`cannot tell whether the world received ${wanted}`, doubts)
  }
  const actual = certain === 0 ? 'it did not' : `received it ${toCount(certain, 'times')}`
  const message = `expected the world to receive ${wanted}, but ${actual}`
  return {
    pass: false,
    message: () => toMessage(message, describeReceived(journal, createNote(filter))),
  }
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
  if (times !== undefined) {
    if (atLeast === undefined && atMost === undefined) {
      return { minimum: times, maximum: times, text: toCount(times, 'times') }
    }
    throw new TypeError('the expectation must have either times, or atLeast and atMost')
  }
  const minimum = atLeast ?? (atMost === undefined ? 1 : 0)
  const maximum = atMost ?? Number.POSITIVE_INFINITY
  if (minimum > maximum) {
    throw new TypeError(`atLeast must be at most atMost, found ${minimum} and ${maximum}`)
  }
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${toCount(atLeast, 'times')}`]),
    ...(atMost === undefined ? [] : [`at most ${toCount(atMost, 'times')}`]),
  ]
  return { minimum, maximum, text: parts.join(' and ') }
}

/**
 * Checks that a world received requests in an order. Other requests may be in between. The order is
 * that of the journal: of the responses.
 *
 * @returns For a remote world, a promise.
 * @throws {Error} If the journal does not have what decides.
 */
export function toHaveReceivedInOrder(
  received: unknown,
  queries: readonly RequestQuery[],
): MatcherOutcome {
  return judge(received, (requests) => judgeOrder(requests, queries))
}

function judgeOrder(requests: RequestSource, queries: readonly RequestQuery[]): MatcherResult {
  const { journal } = requests
  if (!Array.isArray(queries) || queries.length === 0) {
    const found = describeValue(queries)
    throw new TypeError(
      `toHaveReceivedInOrder takes a list of operations and filters, found ${found}`,
    )
  }
  const filters = queries.map((query, at) => requests.toFilter(query, `the filter [${at}]`))
  const entries = journal.entries()
  const steps = findSteps(entries, filters, false)
  const wanted = filters.map((filter, at) => `  ${at + 1}. ${describeFilter(filter)}`).join('\n')
  const note: EntryNote = (entry) => {
    const step = steps.indexOf(entry)
    return step < 0 ? undefined : `is ${step + 1}.`
  }
  if (steps.length === filters.length) {
    const message = `expected the world not to receive, in this order:\n${wanted}\nbut it did`
    return { pass: true, message: () => toMessage(message, describeReceived(journal, note)) }
  }
  const doubt = findOrderDoubt(journal, filters)
  if (doubt !== undefined) {
    throw createDoubtError(`cannot tell whether the world received, in this order:\n${wanted}`, [
      doubt,
    ])
  }
  const missing = filters[steps.length]
  const last = steps.at(-1)
  const actual = last ? `after #${last.id} there is no` : 'there is no'
  const message = `expected the world to receive, in this order:\n${wanted}\nbut ${actual} ${missing && describeFilter(missing)}`
  return { pass: false, message: () => toMessage(message, describeReceived(journal, note)) }
}

/** Returns the first entry for each filter, after that of the filter before, until there is none. */
function findSteps(
  entries: readonly RecordedEntry[],
  filters: readonly RequestFilter[],
  acceptsDoubt: boolean,
): readonly RecordedEntry[] {
  const steps: RecordedEntry[] = []
  for (const entry of entries) {
    const filter = filters[steps.length]
    if (!filter) break
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch || (acceptsDoubt && !mismatch.isCertain)) steps.push(entry)
  }
  return steps
}

/** Returns why the requests may have been received in an order. Undefined if they were not. */
function findOrderDoubt(
  journal: JournalView,
  filters: readonly RequestFilter[],
): string | undefined {
  const entries = journal.entries()
  const kept = filters.findIndex((filter) => !mayHaveDropped(journal, filter))
  const dropped = kept < 0 ? filters.length : kept
  const rest = filters.slice(dropped)
  if (findSteps(entries, rest, true).length < rest.length) return undefined
  if (dropped > 0) return describeDropped(journal)
  return entries
    .flatMap((entry) =>
      filters.map((filter) => ({ entry, mismatch: explainMismatch(entry, filter) })),
    )
    .flatMap(({ entry, mismatch }) =>
      mismatch && !mismatch.isCertain ? `entry #${entry.id}: ${mismatch.reason}` : [],
    )
    .at(0)
}

/**
 * Checks that every request that a world received matched an operation.
 *
 * Requests that the journal has dropped count too.
 *
 * @returns For a remote world, a promise.
 */
export function toHaveReceivedNothingUnmatched(received: unknown): MatcherOutcome {
  return judge(received, judgeUnmatched)
}

function judgeUnmatched({ journal }: RequestSource): MatcherResult {
  const { found, certain, possible, doubts } = tally(journal, { unmatched: true })
  if (certain > 0) {
    const message = 'expected every request to match an operation, but these did not'
    const dropped = certain - found.length
    const list = dropped > 0 ? `  (${dropped} that the journal has dropped)\n` : ''
    return { pass: false, message: () => toMessage(message, list + describeEntries(found)) }
  }
  if (possible > 0) {
    throw createDoubtError('cannot tell whether every request matched an operation', doubts)
  }
  const message = 'expected a request that matches no operation, but there was none'
  return { pass: true, message: () => toMessage(message, describeReceived(journal)) }
}

/** Explains for each request of a similar operation why it does not match the filter. */
function createNote(filter: RequestFilter): EntryNote {
  return (entry) => {
    const operation = entry.operation ?? entry.nearestOperation
    if (filter.operation !== undefined && filter.operation !== operation) return undefined
    const mismatch = explainMismatch(entry, filter)
    return mismatch && `not counted: ${mismatch.reason}`
  }
}

/** Judges the requests of a world, or of the world of a sandbox; of a remote one, a copy of them. */
function judge(
  received: unknown,
  toResult: (requests: RequestSource) => MatcherResult,
): MatcherOutcome {
  for (const value of [received, readField(received, 'world')]) {
    const requests = readField(value, 'requests')
    if (requests instanceof Requests) return toResult(requests)
    if (isRemote(requests)) return requests[copyRequests]().then(toResult)
  }
  throw new TypeError(
    `the value of expect(…) must be a world or a sandbox, found ${describeValue(received)}`,
  )
}

function isRemote(requests: unknown): requests is RemoteSource {
  return typeof readField(requests, copyRequests) === 'function'
}

function readField(value: unknown, name: string | symbol): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Reflect.get(value, name)
}

function toMessage(sentence: string, requests: string): string {
  return `${sentence}.\n\n${requests}`
}

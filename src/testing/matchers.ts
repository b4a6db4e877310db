import { findNearestOperation } from '../operations/nearest.js'
import { refuseBadCount, refuseUnknownFields } from '../validation/known-fields.js'
import { describeValue } from '../validation/validate.js'
import { describeEntries, type EntryNote } from '../world/journal/describe.js'
import {
  explainMismatch,
  filterFields,
  matches,
  type RequestFilter,
} from '../world/journal/filter.js'
import { describeFilter, type RequestQuery, toRequestFilter } from '../world/journal/query.js'
import { describeReceived, Requests } from '../world/journal/requests.js'

/** What a test expects of calls beside their operation. */
export interface ExpectedRequests extends Omit<RequestFilter, 'operation' | 'unmatched'> {
  /** Exactly so many; without it, at least one. */
  readonly times?: number
}

const expectedFields = [
  'times',
  ...filterFields.filter((name) => name !== 'operation' && name !== 'unmatched'),
]

/** What a matcher says; behind `not`, the message of a pass is the one that is shown. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** Whether a world received calls of an operation, or that a filter means. */
export function toHaveReceived(
  received: unknown,
  query: RequestQuery,
  expected: ExpectedRequests = {},
): MatcherResult {
  const { journal } = readRequests(received)
  refuseUnknownFields(expected, expectedFields, 'the expectation')
  const { times, ...rest } = expected
  if (times !== undefined) refuseBadCount('times', times, 0)
  const filter = { ...toRequestFilter(query), ...rest }
  const meant = journal.entries().filter((entry) => matches(entry, filter))
  const wanted = `${describeFilter(filter)}${times === undefined ? '' : ` ${toTimes(times)}`}`
  if (times === undefined ? meant.length > 0 : meant.length === times) {
    const message = `expected the world not to receive ${wanted}, but it did`
    return { pass: true, message: () => toMessage(message, describeEntries(meant)) }
  }
  const came = meant.length === 0 ? 'it did not' : `it did ${toTimes(meant.length)}`
  const message = `expected the world to receive ${wanted}, but ${came}`
  return {
    pass: false,
    message: () => toMessage(message, describeReceived(journal, createNote(filter))),
  }
}

/** Whether every call that reached a world matched an operation. */
export function toHaveReceivedNothingUnmatched(received: unknown): MatcherResult {
  const calls = readRequests(received)
  const unmatched = calls.unmatched()
  if (unmatched.length > 0) {
    const message = 'expected every call to match an operation, but these did not'
    return { pass: false, message: () => toMessage(message, describeEntries(unmatched)) }
  }
  const message = 'expected a call that matches no operation, but there was none'
  return { pass: true, message: () => toMessage(message, describeReceived(calls.journal)) }
}

/** Says of each call that comes near what is wanted why it is another one. */
function createNote(filter: RequestFilter): EntryNote {
  return (entry) => {
    const { method, path } = entry
    const operation = entry.operation ?? findNearestOperation(method, path) ?? undefined
    if (filter.operation !== undefined && filter.operation !== operation) return undefined
    const mismatch = explainMismatch(entry, filter)
    return mismatch === undefined ? undefined : `not counted: ${mismatch}`
  }
}

/** The calls of a world, or of the world of a sandbox. */
function readRequests(received: unknown): Requests {
  for (const value of [received, readField(received, 'world')]) {
    const calls = readField(value, 'calls')
    if (calls instanceof Requests) return calls
  }
  throw new TypeError(
    `expect(…) must be given a world or a sandbox, found ${describeValue(received)}`,
  )
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Reflect.get(value, name)
}

function toTimes(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}

function toMessage(sentence: string, calls: string): string {
  return `${sentence}.\n\n${calls}`
}

import { checkCount, checkFields } from '../validation/options.js'
import { describeValue } from '../validation/validate.js'
import { describeEntries, type EntryNote } from '../world/journal/describe.js'
import {
  describeFilter,
  explainMismatch,
  filterFields,
  matches,
  type RequestFilter,
  type RequestQuery,
  toRequestFilter,
} from '../world/journal/filter.js'
import { describeReceived, Requests } from '../world/journal/requests.js'

/** Additional conditions of `toHaveReceived`. */
export interface ExpectedRequests extends Omit<RequestFilter, 'operation' | 'unmatched'> {
  /** Exact number of requests. Default: at least one. */
  readonly times?: number | undefined
}

const expectedFields = [
  'times',
  ...filterFields.filter((name) => name !== 'operation' && name !== 'unmatched'),
]

/** Result of a matcher. The test runner shows the message of a pass if `not` negates it. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** Checks that a world received requests that match an operation or a filter. */
export function toHaveReceived(
  received: unknown,
  query: RequestQuery,
  expected: ExpectedRequests = {},
): MatcherResult {
  const { journal } = readRequests(received)
  checkFields(expected, expectedFields, 'the expectation')
  const { times, ...conditions } = expected
  if (times !== undefined) checkCount('times', times, 0)
  const filter = { ...toRequestFilter(query), ...conditions }
  const found = journal.entries().filter((entry) => matches(entry, filter))
  const wanted = `${describeFilter(filter)}${times === undefined ? '' : ` ${toTimes(times)}`}`
  if (times === undefined ? found.length > 0 : found.length === times) {
    const message = `expected the world not to receive ${wanted}, but it did`
    return { pass: true, message: () => toMessage(message, describeEntries(found)) }
  }
  const actual = found.length === 0 ? 'it did not' : `received it ${toTimes(found.length)}`
  const message = `expected the world to receive ${wanted}, but ${actual}`
  return {
    pass: false,
    message: () => toMessage(message, describeReceived(journal, createNote(filter))),
  }
}

/** Checks that every request that a world received matched an operation. */
export function toHaveReceivedNothingUnmatched(received: unknown): MatcherResult {
  const requests = readRequests(received)
  const unmatched = requests.unmatched()
  if (unmatched.length > 0) {
    const message = 'expected every request to match an operation, but these did not'
    return { pass: false, message: () => toMessage(message, describeEntries(unmatched)) }
  }
  const message = 'expected a request that matches no operation, but there was none'
  return { pass: true, message: () => toMessage(message, describeReceived(requests.journal)) }
}

/** Explains for each request of a similar operation why it does not match the filter. */
function createNote(filter: RequestFilter): EntryNote {
  return (entry) => {
    const operation = entry.operation ?? entry.nearestOperation
    if (filter.operation !== undefined && filter.operation !== operation) return undefined
    const mismatch = explainMismatch(entry, filter)
    return mismatch === undefined ? undefined : `not counted: ${mismatch}`
  }
}

/** Returns the requests of a world, or of the world of a sandbox. */
function readRequests(received: unknown): Requests {
  for (const value of [received, readField(received, 'world')]) {
    const requests = readField(value, 'requests')
    if (requests instanceof Requests) return requests
  }
  throw new TypeError(
    `the value of expect(…) must be a world or a sandbox, found ${describeValue(received)}`,
  )
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Reflect.get(value, name)
}

function toTimes(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}

function toMessage(sentence: string, requests: string): string {
  return `${sentence}.\n\n${requests}`
}

import { toTimestamp } from '../../contract/timestamp.js'
import { type OperationId, operationIds } from '../../operations/operations.js'
import { truncate } from '../../validation/message.js'
import { suggestName } from '../../validation/nearest-name.js'
import { checkFields } from '../../validation/options.js'
import { describeValue } from '../../validation/validate.js'
import type { JournalEntry } from './journal.js'

/** Conditions on journal entries. An omitted field matches every entry. */
export interface RequestFilter {
  readonly operation?: string | undefined
  readonly status?: number | undefined
  /** The `code` of the Error body. */
  readonly code?: string | undefined
  readonly method?: string | undefined
  /** Path below the base address, as sent: `/inventory/7`. */
  readonly path?: string | undefined
  /** Earliest time on the world's clock, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined
  /**
   * If true, matches only requests that matched neither an operation nor a handler of the user. If
   * false, only the others.
   */
  readonly unmatched?: boolean | undefined
  /**
   * Fields that the JSON body of the request contains, at any depth. Values may be asymmetric
   * matchers of a test runner, such as `expect.any(Number)`.
   */
  readonly body?: unknown
  /**
   * Request headers. Names are case-insensitive, values are strings or asymmetric matchers.
   * Credentials are recorded in masked form.
   */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** Decoded query parameters. Values are strings or asymmetric matchers. */
  readonly query?: Readonly<Record<string, unknown>> | undefined
}

/** The id of an operation of the service, or a filter. */
export type RequestQuery =
  | OperationId
  | (RequestFilter & { readonly operation?: OperationId | undefined })

/** Names of the fields of a filter. */
export const filterFields = Object.keys({
  operation: true,
  status: true,
  code: true,
  method: true,
  path: true,
  sinceMs: true,
  unmatched: true,
  body: true,
  headers: true,
  query: true,
} satisfies Record<keyof RequestFilter, true>)

/**
 * Converts a query to a filter.
 *
 * @throws {TypeError} If a field or the operation is unknown. Such a filter would never match.
 */
export function toRequestFilter(query: RequestQuery): RequestFilter {
  const filter: RequestFilter = typeof query === 'string' ? { operation: query } : query
  checkFields(filter, filterFields, 'the filter')
  const { operation } = filter
  const ids: readonly string[] = operationIds
  if (operation === undefined || ids.includes(operation)) return filter
  const hint = suggestName(operation, ids)
  throw new TypeError(
    `operation must be the id of an operation of the service, found "${truncate(operation)}"${hint}`,
  )
}

/** Describes a filter: `updateInventory with status 200 and body {"quantity":5}`. */
export function describeFilter(filter: RequestFilter): string {
  const { operation, unmatched, method, path, status, code, sinceMs, body, headers, query } = filter
  const subject = operation ?? (unmatched ? 'a request without an operation' : 'a request')
  const conditions = [
    method !== undefined && `method ${method}`,
    path !== undefined && `path ${path}`,
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
    sinceMs !== undefined && `a time of ${toTimestamp(sinceMs)} or later`,
    query !== undefined && `query ${describeExpected(query)}`,
    headers !== undefined && `headers ${describeExpected(headers)}`,
    body !== undefined && `body ${describeExpected(body)}`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? subject : `${subject} with ${conditions.join(' and ')}`
}

/** Whether an entry matches a filter. */
export function matches(entry: JournalEntry, filter: RequestFilter): boolean {
  return explainMismatch(entry, filter) === undefined
}

/** Describes the first condition that an entry does not meet. Undefined if the entry matches. */
export function explainMismatch(entry: JournalEntry, filter: RequestFilter): string | undefined {
  const { sinceMs, unmatched, body, headers, query } = filter
  for (const field of ['operation', 'method', 'path', 'status', 'code'] as const) {
    const wanted = filter[field]
    if (wanted === undefined || entry[field] === wanted) continue
    return `${field} is ${entry[field] ?? 'none'}, wanted ${wanted}`
  }
  if (unmatched !== undefined && isUnmatched(entry) !== unmatched) {
    const found = entry.operation ?? (entry.isUserHandled ? 'a user handler' : 'none')
    return `operation is ${found}, wanted ${unmatched ? 'none' : 'any'}`
  }
  if (sinceMs !== undefined && entry.atMs < sinceMs) {
    return `time is ${toTimestamp(entry.atMs)}, wanted ${toTimestamp(sinceMs)} or later`
  }
  // A query, header list or body is parsed only if the filter has a condition for it.
  return (
    (query && findDifference(readQuery(entry), query, 'query')) ??
    (headers &&
      findDifference(toHeaderRecord(entry.requestHeaders), lowerNames(headers), 'headers')) ??
    (body === undefined ? undefined : findDifference(parse(entry.requestBody), body, 'body'))
  )
}

/** A request to which a handler of the user responded is one that the user expects. */
function isUnmatched({ operation, isUserHandled }: JournalEntry): boolean {
  return operation === undefined && !isUserHandled
}

/** Converts a list of names and values to an object with lower-case names. */
export function toHeaderRecord(flat: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) {
    pairs.push([(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''])
  }
  return Object.fromEntries(pairs)
}

function readQuery(entry: JournalEntry): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(entry.query))
}

function lowerNames(headers: object): unknown {
  if (isAsymmetricMatcher(headers)) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Describes the first difference. Undefined if there is none. Additional fields of objects are
 * ignored.
 */
function findDifference(value: unknown, wanted: unknown, path: string): string | undefined {
  if (Object.is(value, wanted)) return undefined
  if (isAsymmetricMatcher(wanted)) {
    if (wanted.asymmetricMatch(value)) return undefined
    return describeDifference(value, describeMatcher(wanted), path)
  }
  if (!isObject(value) || !isObject(wanted) || !areComparable(value, wanted)) {
    return describeDifference(value, describeValue(wanted), path)
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const [name, field] of Object.entries(wanted)) {
    const difference = findDifference(fields.get(name), field, `${path}.${name}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function describeDifference(value: unknown, wanted: string, path: string): string {
  return `${path} is ${value === undefined ? 'missing' : describeValue(value)}, wanted ${wanted}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether both are arrays of the same length, or neither is an array. */
function areComparable(value: object, wanted: object): boolean {
  if (!Array.isArray(value) || !Array.isArray(wanted)) {
    return Array.isArray(value) === Array.isArray(wanted)
  }
  return value.length === wanted.length
}

/** The interface that the matchers of Jest, vitest and Playwright share. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return hasMethod(value, 'asymmetricMatch')
}

/** Returns the name of a matcher: `Any<Number>`. */
function describeMatcher(matcher: AsymmetricMatcher): string {
  return hasMethod(matcher, 'toAsymmetricMatcher')
    ? String(matcher.toAsymmetricMatcher())
    : `${matcher}`
}

/** Returns JSON with the names of asymmetric matchers in place of their fields. */
function describeExpected(expected: unknown): string {
  return JSON.stringify(expected, (_, value: unknown) =>
    isAsymmetricMatcher(value) ? describeMatcher(value) : value,
  )
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, () => unknown> {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}

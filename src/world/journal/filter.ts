import { describeValue } from '../../validation/validate.js'
import { describeMatcher, isAsymmetricMatcher } from './asymmetric-matcher.js'
import { toHeaderRecord } from './flat-headers.js'
import type { JournalEntry } from './journal.js'

/** Which calls are meant; what is not given is not looked at. */
export interface RequestFilter {
  readonly operation?: string
  readonly status?: number
  /** The `code` of the Error body. */
  readonly code?: string
  readonly method?: string
  /** Below the base address, as it was sent: `/inventory/7`. */
  readonly path?: string
  /** Milliseconds since 1970 on the world's clock. */
  readonly sinceMs?: number
  /** Whether no operation matched. */
  readonly unmatched?: boolean
  /**
   * What the request's JSON body holds: every given field, as deep as it goes. Asymmetric matchers
   * of a test runner, such as `expect.any(Number)`, may stand in it.
   */
  readonly body?: unknown
  /**
   * Headers that the request has, their names in any case; a value is text or an asymmetric
   * matcher. Authorization and cookies are kept masked.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Parameters that the query has, decoded; a value is text or an asymmetric matcher. */
  readonly query?: Readonly<Record<string, unknown>>
}

/** Every field of a filter. */
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

/** Whether a filter means a call. */
export function matches(entry: JournalEntry, filter: RequestFilter): boolean {
  return explainMismatch(entry, filter) === undefined
}

/** The first thing in which a call is not as a filter wants it; undefined when the filter means it. */
export function explainMismatch(entry: JournalEntry, filter: RequestFilter): string | undefined {
  const { sinceMs, unmatched, body, headers, query } = filter
  for (const field of ['operation', 'method', 'path', 'status', 'code'] as const) {
    const wanted = filter[field]
    if (wanted === undefined || entry[field] === wanted) continue
    return `${field} is ${entry[field] ?? 'none'}, wanted ${wanted}`
  }
  if (unmatched !== undefined && (entry.operation === undefined) !== unmatched) {
    return `operation is ${entry.operation ?? 'none'}, wanted ${unmatched ? 'none' : 'any'}`
  }
  if (sinceMs !== undefined && entry.atMs < sinceMs) {
    return `time is ${toIso(entry.atMs)}, wanted from ${toIso(sinceMs)} on`
  }
  return (
    findDifferenceIn('query', () => Object.fromEntries(new URLSearchParams(entry.query)), query) ??
    findDifferenceIn('headers', () => toHeaderRecord(entry.requestHeaders), lowerNames(headers)) ??
    findDifferenceIn('body', () => parse(entry.requestBody), body)
  )
}

/** A difference where anything is wanted; without that, the value is not even read. */
function findDifferenceIn(path: string, read: () => unknown, wanted: unknown): string | undefined {
  return wanted === undefined ? undefined : findDifference(read(), wanted, path)
}

function lowerNames(headers: RequestFilter['headers']): unknown {
  if (headers === undefined || isAsymmetricMatcher(headers)) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Where a value lacks something of what is wanted; of arrays every entry counts. */
function findDifference(value: unknown, wanted: unknown, path: string): string | undefined {
  if (Object.is(value, wanted)) return undefined
  if (isAsymmetricMatcher(wanted)) {
    if (wanted.asymmetricMatch(value)) return undefined
    return toDifference(value, describeMatcher(wanted), path)
  }
  if (!isObject(value) || !isObject(wanted) || !isAlike(value, wanted)) {
    return toDifference(value, describeValue(wanted), path)
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const [name, one] of Object.entries(wanted)) {
    const difference = findDifference(fields.get(name), one, `${path}.${name}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

function toDifference(value: unknown, wanted: string, path: string): string {
  return `${path} is ${value === undefined ? 'missing' : describeValue(value)}, wanted ${wanted}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether the fields of both decide: neither is an array, or both are and of one length. */
function isAlike(value: object, wanted: object): boolean {
  if (!Array.isArray(value) || !Array.isArray(wanted)) {
    return Array.isArray(value) === Array.isArray(wanted)
  }
  return value.length === wanted.length
}

import { isSecret } from '../../service/credentials.js'
import { tryParseExactJson } from '../../service/exact-json.js'
import { toTimestamp } from '../../service/timestamp.js'
import { describeValue } from '../../service/validation/validate.js'
import { type AsymmetricMatcher, isAsymmetricMatcher, isObject } from './conditions.js'
import { isUnmatched, type RecordedEntry, readHeaders, readQuery } from './entry.js'
import type { RequestFilter } from './filter.js'
import { describeWanted, nameMatcher } from './wanted.js'

/** Why an entry does not match, or why that is not known. */
export interface Mismatch {
  readonly reason: string
  /** Whether the journal does not have what is compared. */
  readonly isUnknown: boolean
}

/** What is compared. */
interface Part {
  /** Name in a message: `headers.x-trace`. */
  readonly name: string
  /** Name in `incomplete`: `requestHeaders.x-trace`. */
  readonly source: string
  readonly entry: RecordedEntry
  /** Name of the field, header or query parameter that is compared. */
  readonly field?: string
  /** Whether the fields are lists of values, of which one may match. */
  readonly isRepeated?: boolean
  /** Whether a message shows the value without its type. */
  readonly isPlain?: boolean
}

/**
 * Whether an entry matches a filter.
 *
 * @throws {Error} If the journal does not have what the filter compares.
 */
export function matches(entry: RecordedEntry, filter: RequestFilter): boolean {
  const mismatch = explainMismatch(entry, filter)
  if (mismatch?.isUnknown) {
    throw new Error(`cannot compare the journal entry #${entry.id}: ${mismatch.reason}`)
  }
  return mismatch === undefined
}

const plainFields = ['operation', 'method', 'path', 'status', 'code'] as const

/**
 * Describes a condition that an entry does not meet, or else one that cannot be compared. Undefined
 * if the entry matches.
 */
export function explainMismatch(entry: RecordedEntry, filter: RequestFilter): Mismatch | undefined {
  const { method, unmatched, sinceMs, query, headers, body } = filter
  const wanted = { ...filter, method: typeof method === 'string' ? method.toUpperCase() : method }
  return selectMismatch([
    ...plainFields.map((name) => () => {
      const part = { name, source: name, entry, isPlain: true }
      return wanted[name] === undefined ? undefined : compare(entry[name], wanted[name], part)
    }),
    () => (unmatched === undefined ? undefined : compareUnmatched(entry, unmatched)),
    () => (sinceMs === undefined ? undefined : compareTime(entry, sinceMs)),
    // What has no condition is not parsed.
    () => {
      const part = { name: 'query', source: 'query', entry, isRepeated: true }
      return query && compare(toComparable(entry, query), query, part)
    },
    () => {
      const part = { name: 'headers', source: 'requestHeaders', entry }
      return headers && compare(readHeaders(entry.requestHeaders), headers, part)
    },
    () => {
      const part = { name: 'body', source: 'requestBody', entry }
      return body === undefined ? undefined : compare(readBody(entry), body, part)
    },
  ])
}

/** Returns the first difference that is known, or else the first one that is not. */
function selectMismatch(
  comparisons: readonly (() => Mismatch | undefined)[],
): Mismatch | undefined {
  let unknown: Mismatch | undefined
  for (const run of comparisons) {
    const mismatch = run()
    if (mismatch && !mismatch.isUnknown) return mismatch
    unknown ??= mismatch
  }
  return unknown
}

function compareUnmatched(entry: RecordedEntry, unmatched: boolean): Mismatch | undefined {
  if (isUnmatched(entry) === unmatched) return undefined
  const found = entry.operation ?? (entry.isUserHandled ? 'a user handler' : 'none')
  const reason = `operation is ${found}, wanted ${unmatched ? 'none' : 'any'}`
  return { reason, isUnknown: false }
}

function compareTime({ atMs }: RecordedEntry, sinceMs: number): Mismatch | undefined {
  if (atMs >= sinceMs) return undefined
  const reason = `time is ${toTimestamp(atMs)}, wanted ${toTimestamp(sinceMs)} or later`
  return { reason, isUnknown: false }
}

/** A matcher of the whole query gets the value of a parameter that is not repeated as a string. */
function toComparable(entry: RecordedEntry, query: object): object {
  const parameters = readQuery(entry)
  if (!isAsymmetricMatcher(query)) return parameters
  const values = Object.entries(parameters)
  return Object.fromEntries(values.map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** Returns the parsed body, or the text if it is not JSON. */
function readBody({ requestBody }: RecordedEntry): unknown {
  const parsed = tryParseExactJson(requestBody ?? '')
  return parsed === undefined ? requestBody : parsed
}

/** Compares a value of an entry. Additional fields of objects are ignored. */
function compare(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  if (lacks(part, value)) return compareIncomplete(value, wanted, part)
  if (isAsymmetricMatcher(wanted)) {
    return compareMatcher(wanted, accepts(wanted, value), value, part)
  }
  const areObjects = isObject(value) && isObject(wanted)
  if (isEqual(value, wanted)) return undefined
  if (areObjects && toShape(value) === toShape(wanted)) return compareFields(value, wanted, part)
  return toMismatch(value, wanted, part, mayBeMasked(value, wanted, part))
}

function compareFields(value: object, wanted: object, part: Part): Mismatch | undefined {
  const fields = new Map<string, unknown>(Object.entries(value))
  const compareField = part.isRepeated ? compareRepeated : compare
  return selectMismatch(
    Object.entries(wanted).map(([name, field]) => () => {
      const inner = { name: `${part.name}.${name}`, source: `${part.source}.${name}` }
      return compareField(fields.get(name), field, { ...inner, entry: part.entry, field: name })
    }),
  )
}

/** Compares the values of a query parameter, of which one must match. */
function compareRepeated(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  if (values.length === 0 || Array.isArray(wanted)) return compare(value, wanted, part)
  const shown = values.length === 1 ? values[0] : values
  if (isAsymmetricMatcher(wanted)) {
    const isMetBy = (each: unknown) => wanted.asymmetricMatch(each)
    const all = [...values, values]
    const isMet = isNegated(wanted) ? all.every(isMetBy) : all.some(isMetBy)
    return compareMatcher(wanted, isMet, values, part, shown)
  }
  if (values.includes(wanted)) return undefined
  const mayMatch = values.some((each) => mayBeMasked(each, wanted, part))
  return toMismatch(shown, wanted, part, mayMatch)
}

/** Whether the journal lacks a part. A header that is missing in an incomplete list may have been sent. */
function lacks({ source, entry: { incomplete } }: Part, value: unknown): boolean {
  if (!incomplete) return false
  const isMissing = value === undefined && source.startsWith('requestHeaders.')
  return incomplete.includes(source) || (isMissing && incomplete.includes('requestHeaders'))
}

/** Compares as much as is possible without the missing part. */
function compareIncomplete(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  const isList = part.source === 'requestHeaders' && !isAsymmetricMatcher(wanted)
  if (isList && isObject(value) && isObject(wanted)) return compareFields(value, wanted, part)
  const areTexts = typeof value === 'string' && typeof wanted === 'string'
  if (areTexts && !isBeginning(value, wanted)) return toMismatch(value, wanted, part)
  return typeof value === 'string' && isUniversal(wanted, value)
    ? undefined
    : toUnknown(wanted, part)
}

/** A matcher must not judge a mask in place of the value. */
function compareMatcher(
  matcher: AsymmetricMatcher,
  isMet: boolean,
  value: unknown,
  part: Part,
  shown = value,
): Mismatch | undefined {
  if (readsMask(value, matcher, part.field ?? part.name, part)) return toUnknown(matcher, part)
  return isMet ? undefined : toMismatch(shown, matcher, part)
}

/** Whether a matcher compares a masked or truncated string: the value itself, or one in it. */
function readsMask(value: unknown, wanted: unknown, name: string, part: Part): boolean {
  if (isUniversal(wanted, value)) return false
  if (typeof value === 'string') {
    const source = `${part.source}.${name}`
    return isMasked(value, name) || part.entry.incomplete?.includes(source) === true
  }
  if (!isObject(value)) return false
  if (Array.isArray(value)) return value.some((item) => readsMask(item, undefined, name, part))
  // `expect.objectContaining` compares only some fields.
  const sample: unknown = isAsymmetricMatcher(wanted) && Reflect.get(wanted, 'sample')
  const fields = isObject(sample) && !Array.isArray(sample) ? sample : undefined
  return Object.keys(fields ?? value).some((field) =>
    readsMask(Reflect.get(value, field), fields && Reflect.get(fields, field), field, part),
  )
}

/** What is left of a masked key. */
const maskedKey = /sbx(?:_|%5f)\S*…/i

/** Whether a recorded string is a mask or contains one. A text that is not JSON may have several. */
function isMasked(value: string, name: string): boolean {
  return value.includes('…') && (name === 'body' || isSecret(name) || maskedKey.test(value))
}

/** Whether a recorded string may stand for another, because its end is masked. */
function mayBeMasked(value: unknown, wanted: unknown, { field, name }: Part): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string') return false
  return isMasked(value, field ?? name) && isBeginning(value, wanted)
}

/** Whether a string begins with another up to its mask, or up to the mark where it is truncated. */
function isBeginning(value: string, wanted: string): boolean {
  const end = value.indexOf('…')
  return end >= 0 && wanted.startsWith(value.slice(0, end))
}

/** Whether a matcher is one of `expect.not`. */
function isNegated(matcher: AsymmetricMatcher): boolean {
  return Reflect.get(matcher, 'inverse') === true
}

/** `expect.anything()` and `expect.any(String)` match every string, and `expect.any` reads no fields. */
function isUniversal(wanted: unknown, value: unknown): boolean {
  if (!isAsymmetricMatcher(wanted)) return false
  const name = nameMatcher(wanted)
  return /^(?:Anything|Any<String>)$/.test(name) || (isObject(value) && name.startsWith('Any<'))
}

/** A matcher gets an integer beyond the safe range also as a number, as `JSON.parse` returns it. */
function accepts(matcher: AsymmetricMatcher, value: unknown): boolean {
  if (matcher.asymmetricMatch(value)) return true
  return typeof value === 'bigint' && matcher.asymmetricMatch(Number(value))
}

function isEqual(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true
  return (
    typeof wanted === 'bigint' && Number.isSafeInteger(value) && BigInt(Number(value)) === wanted
  )
}

/** Objects are compared with objects, and arrays with those of the same length. */
function toShape(value: object): number {
  return Array.isArray(value) ? value.length : -1
}

function toMismatch(value: unknown, wanted: unknown, part: Part, isUnknown = false): Mismatch {
  if (part.isPlain && !isAsymmetricMatcher(wanted)) {
    return { reason: `${part.name} is ${value ?? 'none'}, wanted ${String(wanted)}`, isUnknown }
  }
  const found = value === undefined ? 'missing' : describeValue(value)
  return { reason: `${part.name} is ${found}, wanted ${describeWanted(wanted)}`, isUnknown }
}

function toUnknown(wanted: unknown, { name }: Part): Mismatch {
  const reason = `the journal does not have the whole ${name}, wanted ${describeWanted(wanted)}`
  return { reason, isUnknown: true }
}

import { tryParseExactJson } from '../../service/json.js'
import { toTimestamp } from '../../service/timestamp.js'
import { isUnmatched, type RecordedEntry, readHeaders, readQuery } from './entry.js'
import {
  type AsymmetricMatcher,
  filterFields,
  isAsymmetricMatcher,
  isObject,
  nameMatcher,
  type RequestFilter,
} from './filter.js'

/** A condition that an entry does not meet, or that cannot be compared. */
export interface Mismatch {
  /** What was compared: `headers.x-trace`. */
  readonly name: string
  readonly found: unknown
  readonly wanted: unknown
  /** Whether the journal does not have what is compared. */
  readonly isUnknown: boolean
}

/**
 * Whether an entry matches a filter.
 *
 * @throws {Error} If the journal does not have what the filter compares.
 */
export function matches(entry: RecordedEntry, filter: RequestFilter): boolean {
  const mismatch = explainMismatch(entry, filter)
  if (mismatch?.isUnknown)
    throw new Error(`cannot compare the journal ${toUnknown(entry, mismatch)}`)
  return mismatch === undefined
}

/** States what the journal does not have of an entry. */
export function toUnknown({ id }: RecordedEntry, { name }: Mismatch): string {
  return `entry #${id}: the journal does not have the whole ${name}`
}

/**
 * Returns a condition that an entry does not meet, or else one that cannot be compared. Undefined if
 * the entry matches.
 */
export function explainMismatch(entry: RecordedEntry, filter: RequestFilter): Mismatch | undefined {
  return selectMismatch(filterFields, (name) => {
    const wanted = filter[name]
    return wanted === undefined ? undefined : compareField(entry, name, wanted)
  })
}

function compareField(
  entry: RecordedEntry,
  name: keyof RequestFilter,
  wanted: unknown,
): Mismatch | undefined {
  switch (name) {
    case 'unmatched': {
      if (isUnmatched(entry) === wanted) return undefined
      const found = entry.operation ?? (entry.isUserHandled ? 'a user handler' : 'none')
      return toMismatch(found, wanted ? 'none' : 'any', 'operation')
    }
    case 'sinceMs': {
      if (entry.atMs >= Number(wanted)) return undefined
      return toMismatch(toTimestamp(entry.atMs), `${toTimestamp(Number(wanted))} or later`, 'time')
    }
    case 'query':
      return compareQuery(entry, wanted)
    case 'headers':
      return compare(readHeaders(entry.requestHeaders), wanted, name, entry)
    case 'body':
      return compare(readBody(entry), wanted, name, entry)
    default:
      return compare(entry[name], wanted, name, entry)
  }
}

/** Returns the first mismatch that is known, or else the first one that is not. */
function selectMismatch<Name extends string>(
  names: readonly Name[],
  compareName: (name: Name) => Mismatch | undefined,
): Mismatch | undefined {
  let unknown: Mismatch | undefined
  for (const name of names) {
    const mismatch = compareName(name)
    if (mismatch && !mismatch.isUnknown) return mismatch
    unknown ??= mismatch
  }
  return unknown
}

/** A matcher of the whole query gets the value of a parameter that is not repeated as a string. */
function compareQuery(entry: RecordedEntry, wanted: unknown): Mismatch | undefined {
  const values = new Map(Object.entries(readQuery(entry)))
  const shown = Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? all[0] : all]),
  )
  if (lacks(entry, 'query', shown) || !isObject(wanted) || isAsymmetricMatcher(wanted)) {
    return compare(shown, wanted, 'query', entry)
  }
  return selectMismatch(Object.keys(wanted), (name) =>
    compareRepeated(values.get(name), Reflect.get(wanted, name), `query.${name}`, entry),
  )
}

/** Compares the values of a query parameter, of which one must match. */
function compareRepeated(
  values: readonly string[] | undefined,
  wanted: unknown,
  name: string,
  entry: RecordedEntry,
): Mismatch | undefined {
  if (!values || Array.isArray(wanted)) return compare(values, wanted, name, entry)
  const all = [...values, values].map((value) => compare(value, wanted, name, entry))
  const first = all[values.length > 1 ? values.length : 0]
  // A matcher of `expect.not` must accept each value.
  if (isObject(wanted) && Reflect.get(wanted, 'inverse') === true) return all.find(Boolean)
  return all.includes(undefined) ? undefined : (all.find((each) => each?.isUnknown) ?? first)
}

/** Returns the parsed body, or the text if it is not JSON. */
function readBody({ requestBody }: RecordedEntry): unknown {
  const parsed = tryParseExactJson(requestBody ?? '')
  return parsed === undefined ? requestBody : parsed
}

/** Compares a value of an entry. Additional fields of objects are ignored. */
function compare(
  value: unknown,
  wanted: unknown,
  name: string,
  entry: RecordedEntry,
): Mismatch | undefined {
  if (isAsymmetricMatcher(wanted)) {
    if (readsPartial(value, wanted, name, entry)) return toMismatch(value, wanted, name, true)
    return accepts(wanted, value) ? undefined : toMismatch(value, wanted, name)
  }
  const areObjects = isObject(value) && isObject(wanted)
  if (isPartial(value, name, entry) && !(areObjects && name === 'headers')) {
    if (value !== undefined && value === wanted) return undefined
    return toMismatch(value, wanted, name, mayBe(value, wanted, lacks(entry, name, value)))
  }
  if (isEqual(value, wanted)) return undefined
  if (areObjects && toShape(value) === toShape(wanted)) {
    return compareFields(value, wanted, name, entry)
  }
  return toMismatch(value, wanted, name)
}

function compareFields(
  value: object,
  wanted: object,
  name: string,
  entry: RecordedEntry,
): Mismatch | undefined {
  const fields = new Map<string, unknown>(Object.entries(value))
  return selectMismatch(Object.keys(wanted), (field) =>
    compare(fields.get(field), Reflect.get(wanted, field), `${name}.${field}`, entry),
  )
}

/** Whether a matcher would judge a part that is masked, or that the journal lacks. */
function readsPartial(
  value: unknown,
  wanted: unknown,
  name: string,
  entry: RecordedEntry,
): boolean {
  const matcher = isAsymmetricMatcher(wanted) ? nameMatcher(wanted) : ''
  // They accept every string, or do not read fields.
  if (/^(?:Anything|Any<String>)$/.test(matcher))
    return value === undefined && lacks(entry, name, value)
  if (isPartial(value, name, entry)) return true
  if (!isObject(value) || matcher.startsWith('Any<')) return false
  // `expect.objectContaining` compares only some fields.
  const sample: unknown = matcher === '' ? undefined : Reflect.get(Object(wanted), 'sample')
  const read = isObject(sample) && !Array.isArray(sample) ? sample : value
  return Object.keys(read).some((field) =>
    readsPartial(Reflect.get(value, field), Reflect.get(read, field), `${name}.${field}`, entry),
  )
}

/** Whether the journal lacks a value. A header that is missing in an incomplete list may have been sent. */
function lacks({ incomplete }: RecordedEntry, name: string, value: unknown): boolean {
  if (!incomplete) return false
  const source = name.replace(/^headers/, 'requestHeaders').replace(/^body/, 'requestBody')
  if (incomplete.includes(source)) return true
  return value === undefined && /^headers\./.test(name) && incomplete.includes('requestHeaders')
}

/** A mask: of a whole value, of a cookie or a field of a form, of a bearer token, or of a key. */
const mask = /^…$|=…|^bearer \S*…$|sbx(?:_|%5f)\S*…/i

/** Whether a value is masked, or the journal lacks it. A text that is not JSON may have any mask. */
function isPartial(value: unknown, name: string, entry: RecordedEntry): boolean {
  const isMasked = typeof value === 'string' && (name === 'body' ? /…/ : mask).test(value)
  return isMasked || lacks(entry, name, value)
}

/** Whether a value of which the journal has at most the beginning may be the wanted one. */
function mayBe(value: unknown, wanted: unknown, isLacking: boolean): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string') return isLacking
  return wanted.startsWith(value.slice(0, Math.max(0, value.indexOf('…'))))
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

function toMismatch(found: unknown, wanted: unknown, name: string, isUnknown = false): Mismatch {
  return { name, found, wanted, isUnknown }
}

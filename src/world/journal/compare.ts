import { readHeaders } from '../../service/headers.js'
import { parseExactJson } from '../../service/json.js'
import { anyMask } from '../../service/mask.js'
import { toTimestamp } from '../../service/timestamp.js'
import { truncate } from '../../service/validation/message.js'
import { isObject, isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { isUnmatched, type RecordedEntry, shownCharacters } from './entry.js'
import { isAsymmetricMatcher, type RequestFilter } from './filter.js'

/** A condition that an entry does not meet, or that cannot be compared. */
export interface Mismatch {
  /** Whether the journal lacks a part that is compared. */
  readonly isUnknown: boolean
  /** Describes why the entry does not match: `status is 400, wanted 200`. */
  describe(): string
}

/** Returns a condition that an entry does not meet; otherwise a condition that cannot be compared. */
export function explainMismatch(entry: RecordedEntry, filter: RequestFilter): Mismatch | undefined {
  const { sinceMs = -Infinity, ...conditions } = filter
  if (entry.atMs < sinceMs) {
    const text = `time is ${toTimestamp(entry.atMs)}, wanted ${toTimestamp(sinceMs)} or later`
    return { isUnknown: false, describe: () => text }
  }
  const comparison = new Comparison(entry.incomplete)
  let unknown: Mismatch | undefined
  for (const [name, wanted] of Object.entries(conditions)) {
    const value = readField(entry, name, wanted)
    for (const mismatch of comparison.compare(value, wanted, name)) {
      if (!mismatch.isUnknown) return mismatch
      unknown ??= mismatch
    }
  }
  return unknown
}

/** Returns the value of an entry for a condition. Most conditions have the name of a field. */
function readField(entry: RecordedEntry, name: string, wanted: unknown): unknown {
  if (name === 'unmatched') return isUnmatched(entry)
  if (name === 'headers') return readHeaders(entry.requestHeaders)
  if (name === 'query') return readQuery(entry.query)
  if (name !== 'body') return Reflect.get(entry, name)
  const { requestBody } = entry
  // A string is compared with the body as it was sent.
  const json = typeof wanted === 'string' ? undefined : parseExactJson(requestBody ?? '')
  return json === undefined ? requestBody : json
}

/** Compares the parts of an entry with conditions. */
class Comparison {
  constructor(readonly incomplete: readonly string[] = []) {}

  /** Compares a query parameter: one of its values must match. */
  #compareParameter(value: unknown, wanted: unknown, name: string): Iterable<Mismatch> {
    if (value === undefined) return this.compare(value, wanted, name)
    const values = [value].flat()
    if (Array.isArray(wanted)) return this.compare(values, wanted, name)
    const mismatches = [...values, values].flatMap((each) => [...this.compare(each, wanted, name)])
    // A matcher of `expect.not` must accept each value.
    if (isObject(wanted) && Reflect.get(wanted, 'inverse') === true) return mismatches
    if (mismatches.length <= values.length) return []
    const unknown = mismatches.filter(({ isUnknown }) => isUnknown)
    return unknown.length > 0 ? unknown : mismatches.slice(values.length > 1 ? -1 : 0)
  }

  /** Yields the mismatches of a value. Additional fields of objects are ignored. */
  *compare(value: unknown, wanted: unknown, name: string): Iterable<Mismatch> {
    const mismatch = { isUnknown: false, describe: () => describeDifference(value, wanted, name) }
    if (this.#isUnknown(value, wanted, name)) {
      yield { isUnknown: true, describe: () => `the journal does not have the whole ${name}` }
    } else if (isAsymmetricMatcher(wanted)) {
      // An integer beyond the safe range is also compared as a number, as `JSON.parse` returns it.
      const values = typeof value === 'bigint' ? [value, Number(value)] : [value]
      if (!values.some((each) => wanted.asymmetricMatch(each))) yield mismatch
    } else if (isObject(value) && isObject(wanted) && lengthOf(value) === lengthOf(wanted)) {
      const fields = new Map<string, unknown>(Object.entries(value))
      for (const [field, condition] of Object.entries(wanted)) {
        const path = `${name}.${field}`
        if (name !== 'query') yield* this.compare(fields.get(field), condition, path)
        else yield* this.#compareParameter(fields.get(field), condition, path)
      }
    } else if (value !== wanted) {
      yield mismatch
    }
  }

  /** Whether a part that the journal lacks may change the result. */
  #isUnknown(value: unknown, wanted: unknown, name: string): boolean {
    if (isAsymmetricMatcher(wanted)) return this.#readsPartial(value, wanted, name)
    // Headers are compared one by one.
    if (!this.#isPartial(value, name) || name === 'headers') return false
    if (typeof value === 'string' && typeof wanted === 'string') {
      return value !== wanted && wanted.startsWith(value.replace(/….*/s, ''))
    }
    // A masked or truncated value was sent.
    return wanted !== undefined || value === undefined
  }

  /** Whether the result of a matcher depends on a part that is masked, or that the journal lacks. */
  #readsPartial(value: unknown, wanted: unknown, name: string): boolean {
    const matcher = isAsymmetricMatcher(wanted) ? nameMatcher(wanted) : ''
    // They accept every string, or do not read fields. A lost part of JSON may be of any type.
    const isLost = /^body/.test(name) && (value === '…' || this.incomplete.includes('requestBody'))
    if (/^(?:Anything|Any<String>)$/.test(matcher) && value !== undefined && !isLost) return false
    if (this.#isPartial(value, name)) return true
    if (!isObject(value) || matcher.startsWith('Any<')) return false
    // `expect.objectContaining` compares only some fields.
    const sample: unknown = matcher === '' ? undefined : Reflect.get(Object(wanted), 'sample')
    const read = isPlainObject(sample) ? sample : value
    return Object.keys(read).some((field) =>
      this.#readsPartial(Reflect.get(value, field), Reflect.get(read, field), `${name}.${field}`),
    )
  }

  /** Whether a value is masked or incomplete. */
  #isPartial(value: unknown, name: string): boolean {
    if (typeof value === 'string' && anyMask.test(value)) return true
    const { incomplete } = this
    const source = name.replace(/^headers/, 'requestHeaders').replace(/^body/, 'requestBody')
    if (incomplete.includes(source)) return true
    // A header that is missing in an incomplete list may have been sent.
    return value === undefined && /^headers\./.test(name) && incomplete.includes('requestHeaders')
  }
}

/** Returns the parameters of a query: a string for each, and an array for a repeated one. */
function readQuery(query: string): Readonly<Record<string, unknown>> {
  const parameters = new URLSearchParams(query)
  const pairs = Array.from(parameters.keys(), (name) => {
    const values = parameters.getAll(name)
    return [name, values.length === 1 ? values[0] : values]
  })
  return Object.fromEntries(pairs)
}

/** Objects are compared with objects, and arrays with arrays of the same length. */
function lengthOf(value: object): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

/** Describes a filter: `updateInventory with status 200 and body {"quantity":5}`. */
export function describeFilter(filter: RequestFilter): string {
  const { operation, unmatched, sinceMs, ...others } = filter
  const subject = operation ?? (unmatched ? 'a request without an operation' : 'a request')
  const conditions = Object.entries(others).map(
    ([name, wanted]) => `${name} ${name === 'body' ? formatWanted(wanted) : formatPlain(wanted)}`,
  )
  if (sinceMs !== undefined) conditions.push(`a time of ${toTimestamp(sinceMs)} or later`)
  return conditions.length === 0 ? subject : `${subject} with ${conditions.join(' and ')}`
}

function describeDifference(found: unknown, wanted: unknown, name: string): string {
  const isPart = /^(?:query|headers|body)/.test(name)
  const format = isPart ? describeValue : formatPlain
  const absent = isPart ? 'missing' : 'none'
  const shown = isObject(wanted) ? truncate(formatWanted(wanted), shownCharacters) : format(wanted)
  return `${name} is ${found === undefined ? absent : format(found)}, wanted ${shown}`
}

/** Formats a value like {@link formatWanted}, but strings without quotation marks. */
function formatPlain(value: unknown): string {
  return typeof value === 'string' ? value : formatWanted(value)
}

/** Formats an expected value as JSON, with bigints, matchers, and fields that are undefined. */
function formatWanted(wanted: unknown): string {
  if (isAsymmetricMatcher(wanted)) return formatMatcher(wanted)
  if (typeof wanted === 'bigint') return `${wanted}n`
  if (typeof wanted === 'string') return JSON.stringify(wanted)
  if (!isObject(wanted) || wanted instanceof RegExp) return String(wanted)
  if (Array.isArray(wanted)) return `[${wanted.map(formatWanted).join()}]`
  const fields = Object.entries(wanted).map(
    ([name, field]) => `${JSON.stringify(name)}:${formatWanted(field)}`,
  )
  return `{${fields.join()}}`
}

/** Formats a matcher with its expected value: `Any<Number>`, `StringMatching /^\/inv/`. */
function formatMatcher(matcher: object): string {
  const name = nameMatcher(matcher)
  const sample: unknown = Reflect.get(matcher, 'sample')
  const isComplete = sample === undefined || typeof sample === 'function' || /\W/.test(name)
  return isComplete ? name : `${name} ${formatWanted(sample)}`
}

/** Returns the name of a matcher as its test runner shows it: `Any<Number>`. */
function nameMatcher(matcher: object): string {
  const describe: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  return String(typeof describe === 'function' ? Reflect.apply(describe, matcher, []) : matcher)
}

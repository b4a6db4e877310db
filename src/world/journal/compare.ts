import { tryParseExactJson } from '../../service/json.js'
import { toTimestamp } from '../../service/timestamp.js'
import { isUnmatched, type RecordedEntry, readHeaders } from './entry.js'
import {
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
  const comparison = new Comparison(entry)
  return selectMismatch(filterFields, (name) => {
    const wanted = filter[name]
    return wanted === undefined ? undefined : comparison.compareField(name, wanted)
  })
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

/** A mask: of a whole value, of a cookie or a field of a form, of a bearer token, or of a key. */
const mask = /^…$|=…|^bearer \S*…$|sbx(?:_|%5f)\S*…/i

/** Compares the parts of an entry with conditions. */
class Comparison {
  constructor(readonly entry: RecordedEntry) {}

  compareField(name: keyof RequestFilter, wanted: unknown): Mismatch | undefined {
    const { entry } = this
    const { atMs, requestBody } = entry
    switch (name) {
      case 'unmatched': {
        if (isUnmatched(entry) === wanted) return undefined
        const found = entry.operation ?? (entry.isUserHandled ? 'a user handler' : 'none')
        return { name: 'operation', found, wanted: wanted ? 'none' : 'any', isUnknown: false }
      }
      case 'sinceMs': {
        if (atMs >= Number(wanted)) return undefined
        const since = `${toTimestamp(Number(wanted))} or later`
        return { name: 'time', found: toTimestamp(atMs), wanted: since, isUnknown: false }
      }
      case 'query':
        return this.#compareQuery(wanted)
      case 'headers':
        return this.#compare(readHeaders(entry.requestHeaders), wanted, name)
      case 'body': {
        const parsed = tryParseExactJson(requestBody ?? '')
        return this.#compare(parsed === undefined ? requestBody : parsed, wanted, name)
      }
      default:
        return this.#compare(entry[name], wanted, name)
    }
  }

  /** A matcher of the whole query gets the value of a parameter that is not repeated as a string. */
  #compareQuery(wanted: unknown): Mismatch | undefined {
    const parameters = new URLSearchParams(this.entry.query)
    const values = new Map([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
    const shown = Object.fromEntries(
      Array.from(values, ([name, all]) => [name, all.length === 1 ? all[0] : all]),
    )
    if (this.#lacks(shown, 'query') || !isObject(wanted) || isAsymmetricMatcher(wanted)) {
      return this.#compare(shown, wanted, 'query')
    }
    return selectMismatch(Object.keys(wanted), (name) =>
      this.#compareRepeated(values.get(name), Reflect.get(wanted, name), `query.${name}`),
    )
  }

  /** Compares the values of a query parameter, of which one must match. */
  #compareRepeated(values: readonly string[] | undefined, wanted: unknown, name: string) {
    if (!values || Array.isArray(wanted)) return this.#compare(values, wanted, name)
    const all = [...values, values].map((value) => this.#compare(value, wanted, name))
    const first = all[values.length > 1 ? values.length : 0]
    // A matcher of `expect.not` must accept each value.
    if (isObject(wanted) && Reflect.get(wanted, 'inverse') === true) return all.find(Boolean)
    return all.includes(undefined) ? undefined : (all.find((each) => each?.isUnknown) ?? first)
  }

  /** Compares a value of the entry. Additional fields of objects are ignored. */
  #compare(value: unknown, wanted: unknown, name: string): Mismatch | undefined {
    const mismatch = { name, found: value, wanted, isUnknown: false }
    if (isAsymmetricMatcher(wanted)) {
      if (this.#readsPartial(value, wanted, name)) return { ...mismatch, isUnknown: true }
      // An integer beyond the safe range is also compared as a number, as `JSON.parse` returns it.
      const values = typeof value === 'bigint' ? [value, Number(value)] : [value]
      return values.some((each) => wanted.asymmetricMatch(each)) ? undefined : mismatch
    }
    const areObjects = isObject(value) && isObject(wanted)
    if (this.#isPartial(value, name) && !(areObjects && name === 'headers')) {
      if (value !== undefined && value === wanted) return undefined
      return { ...mismatch, isUnknown: this.#mayBe(value, wanted, name) }
    }
    if (areObjects) {
      if (lengthOf(value) !== lengthOf(wanted)) return mismatch
      const fields = new Map<string, unknown>(Object.entries(value))
      return selectMismatch(Object.keys(wanted), (field) =>
        this.#compare(fields.get(field), Reflect.get(wanted, field), `${name}.${field}`),
      )
    }
    const isEqual =
      value === wanted ||
      (typeof wanted === 'bigint' &&
        Number.isSafeInteger(value) &&
        BigInt(Number(value)) === wanted)
    return isEqual ? undefined : mismatch
  }

  /** Whether a matcher would judge a part that is masked, or that the journal lacks. */
  #readsPartial(value: unknown, wanted: unknown, name: string): boolean {
    const matcher = isAsymmetricMatcher(wanted) ? nameMatcher(wanted) : ''
    // They accept every string, or do not read fields.
    if (/^(?:Anything|Any<String>)$/.test(matcher)) {
      return value === undefined && this.#lacks(value, name)
    }
    if (this.#isPartial(value, name)) return true
    if (!isObject(value) || matcher.startsWith('Any<')) return false
    // `expect.objectContaining` compares only some fields.
    const sample: unknown = matcher === '' ? undefined : Reflect.get(Object(wanted), 'sample')
    const read = isObject(sample) && !Array.isArray(sample) ? sample : value
    return Object.keys(read).some((field) =>
      this.#readsPartial(Reflect.get(value, field), Reflect.get(read, field), `${name}.${field}`),
    )
  }

  /** Whether a value is masked, or the journal lacks it. A text that is not JSON may have any mask. */
  #isPartial(value: unknown, name: string): boolean {
    const isMasked = typeof value === 'string' && (name === 'body' ? /…/ : mask).test(value)
    return isMasked || this.#lacks(value, name)
  }

  /** Whether the journal lacks a value. A header that is missing in an incomplete list may have been sent. */
  #lacks(value: unknown, name: string): boolean {
    const { incomplete = [] } = this.entry
    const source = name.replace(/^headers/, 'requestHeaders').replace(/^body/, 'requestBody')
    if (incomplete.includes(source)) return true
    return value === undefined && /^headers\./.test(name) && incomplete.includes('requestHeaders')
  }

  /** Whether a value of which the journal has at most the beginning may be the wanted one. */
  #mayBe(value: unknown, wanted: unknown, name: string): boolean {
    if (typeof value !== 'string' || typeof wanted !== 'string') return this.#lacks(value, name)
    return wanted.startsWith(value.slice(0, Math.max(0, value.indexOf('…'))))
  }
}

/** Objects are compared with objects, and arrays with those of the same length. */
function lengthOf(value: object): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

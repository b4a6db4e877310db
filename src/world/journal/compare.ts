import { describeValue } from '../../service/validation/validate.js'
import type { RecordedEntry } from './journal.js'

/** The interface that the matchers of Jest, vitest and Playwright share. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/** The type of an asymmetric matcher. Playwright declares its matchers as plain objects. */
export type Matcher = AsymmetricMatcher | Readonly<Record<string, unknown>>

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Why an entry does not match, or may not. */
export interface Mismatch {
  readonly reason: string
  /** False if the journal does not have what is compared. */
  readonly isCertain: boolean
}

/** What is compared. */
export interface Part {
  /** Name in a message: `headers.x-trace`. */
  readonly name: string
  /** Name in `incomplete`: `requestHeaders.x-trace`. */
  readonly source: string
  readonly entry: RecordedEntry
  /** Whether the fields are lists of values, of which one may match. */
  readonly isRepeated?: boolean
  /** Whether a message shows the value without its type. */
  readonly isPlain?: boolean
}

/**
 * Compares a value of an entry. Additional fields of objects are ignored. Undefined if there is no
 * difference.
 */
export function findDifference(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  if (isIncomplete(value, part)) return findIncomplete(value, wanted, part)
  if (isAsymmetricMatcher(wanted)) {
    return findUnmet(wanted, accepts(wanted, value), value, value, part)
  }
  if (isEqual(value, wanted)) return undefined
  if (isObject(value) && isObject(wanted) && areComparable(value, wanted)) {
    return findFieldDifference(value, wanted, part)
  }
  return toMismatch(value, wanted, part, !isMasked(value, wanted))
}

function findFieldDifference(value: object, wanted: object, part: Part): Mismatch | undefined {
  const fields = new Map<string, unknown>(Object.entries(value))
  let doubt: Mismatch | undefined
  for (const [name, field] of Object.entries(wanted)) {
    const { entry, isRepeated } = part
    const inner = { entry, name: `${part.name}.${name}`, source: `${part.source}.${name}` }
    const found = fields.get(name)
    const difference = isRepeated
      ? findRepeatedDifference(found, field, inner)
      : findDifference(found, field, inner)
    if (difference?.isCertain) return difference
    doubt ??= difference
  }
  return doubt
}

/** Whether a matcher is one of `expect.not`. */
function isNegated(matcher: AsymmetricMatcher): boolean {
  return Reflect.get(matcher, 'inverse') === true
}

/**
 * Returns why a matcher is not met. What is masked or truncated may be the reason why a matcher is
 * not met, or a negated one is.
 *
 * @param compared What the matcher was compared with.
 * @param shown The value in the message.
 */
function findUnmet(
  matcher: AsymmetricMatcher,
  isMet: boolean,
  compared: unknown,
  shown: unknown,
  part: Part,
): Mismatch | undefined {
  const isMasked = hasMask(isObject(compared) ? selectFields(compared, matcher) : compared)
  const mayDiffer = isMasked && isMet === isNegated(matcher) && !isUniversal(matcher)
  if (mayDiffer) return toDoubt(matcher, part)
  return isMet ? undefined : toMismatch(shown, matcher, part)
}

/** Returns what a matcher compares of an object: with `expect.objectContaining`, only some fields. */
function selectFields(value: object, matcher: AsymmetricMatcher): unknown {
  const sample: unknown = Reflect.get(matcher, 'sample')
  if (!isObject(sample) || Array.isArray(value) || Array.isArray(sample)) return value
  return Object.keys(sample).map((name) => Reflect.get(value, name))
}

/** Whether a string, or one in an object, is masked or truncated. */
function hasMask(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('…')
  return isObject(value) && Object.values(value).some(hasMask)
}

/** Compares the values of a repeated query parameter. */
function findRepeatedDifference(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const only = values.length === 1 ? values[0] : value
  if (values.length === 0 || Array.isArray(wanted)) return findDifference(value, wanted, part)
  if (isAsymmetricMatcher(wanted)) {
    const all = [...values, values]
    const isMetBy = (each: unknown) => wanted.asymmetricMatch(each)
    const isMet = isNegated(wanted) ? all.every(isMetBy) : all.some(isMetBy)
    return findUnmet(wanted, isMet, values, only, part)
  }
  if (values.includes(wanted)) return undefined
  const isCertain = !values.some((each) => isMasked(each, wanted))
  return toMismatch(only, wanted, part, isCertain)
}

/** Whether the journal lacks a part. A header that is missing in an incomplete list may have been sent. */
function isIncomplete(value: unknown, { source, entry: { incomplete } }: Part): boolean {
  if (!incomplete) return false
  const isMissing = value === undefined && source.startsWith('requestHeaders.')
  return incomplete.includes(source) || (isMissing && incomplete.includes('requestHeaders'))
}

/** Judges as much as is possible without the missing part. */
function findIncomplete(value: unknown, wanted: unknown, part: Part): Mismatch | undefined {
  const isList = part.source === 'requestHeaders' && !isAsymmetricMatcher(wanted)
  if (isList && isObject(value) && isObject(wanted)) return findFieldDifference(value, wanted, part)
  if (isUniversal(wanted) && typeof value === 'string') return undefined
  const isDifferent =
    typeof value === 'string' && typeof wanted === 'string' && !isMasked(value, wanted)
  if (isDifferent) return toMismatch(value, wanted, part)
  return toDoubt(wanted, part)
}

function toDoubt(wanted: unknown, { name }: Part): Mismatch {
  const reason = `the journal does not have the whole ${name}, wanted ${describeWanted(wanted)}`
  return { reason, isCertain: false }
}

/** `expect.anything()` and `expect.any(String)` match every string. */
function isUniversal(wanted: unknown): boolean {
  return isAsymmetricMatcher(wanted) && /^(?:Anything|Any<String>)$/.test(describeWanted(wanted))
}

/** Whether a recorded string may stand for another, because its end is masked or truncated. */
function isMasked(value: unknown, wanted: unknown): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string') return false
  const end = value.indexOf('…')
  return end >= 0 && wanted.startsWith(value.slice(0, end))
}

/** A matcher gets an integer beyond the safe range also as a number, as `JSON.parse` returns it. */
function accepts(matcher: AsymmetricMatcher, value: unknown): boolean {
  return (
    matcher.asymmetricMatch(value) ||
    (typeof value === 'bigint' && matcher.asymmetricMatch(Number(value)))
  )
}

function isEqual(value: unknown, wanted: unknown): boolean {
  if (Object.is(value, wanted)) return true
  return (
    typeof wanted === 'bigint' && Number.isSafeInteger(value) && wanted === BigInt(Number(value))
  )
}

/** Whether both are arrays of the same length, or neither is an array. */
function areComparable(value: object, wanted: object): boolean {
  if (!Array.isArray(value) || !Array.isArray(wanted)) {
    return Array.isArray(value) === Array.isArray(wanted)
  }
  return value.length === wanted.length
}

function toMismatch(value: unknown, wanted: unknown, part: Part, isCertain = true): Mismatch {
  const { name, isPlain } = part
  if (isPlain && !isAsymmetricMatcher(wanted)) {
    return { reason: `${name} is ${value ?? 'none'}, wanted ${String(wanted)}`, isCertain }
  }
  const found = value === undefined ? 'missing' : describeValue(value)
  return { reason: `${name} is ${found}, wanted ${describeWanted(wanted)}`, isCertain }
}

/** Describes an expected value; a matcher by its name: `Any<Number>`. */
export function describeWanted(wanted: unknown): string {
  if (!isAsymmetricMatcher(wanted)) return describeValue(wanted)
  const describe: unknown = Reflect.get(wanted, 'toAsymmetricMatcher')
  return String(typeof describe === 'function' ? Reflect.apply(describe, wanted, []) : wanted)
}

import { maximumDepth } from '../../service/bounds.js'
import { tryParseExactJson } from '../../service/json.js'
import { checkFields, isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'

/** The interface that the matchers of Jest, vitest and Playwright share. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

/** Returns the name of a matcher as its test runner shows it: `Any<Number>`. */
export function nameMatcher(matcher: AsymmetricMatcher): string {
  const describe: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  return String(typeof describe === 'function' ? Reflect.apply(describe, matcher, []) : matcher)
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** @throws {TypeError} That a condition is not the wanted one. */
export function refuse(name: string, wanted: string, value: unknown): never {
  const isInstance = isObject(value) && !Array.isArray(value) && !isPlainObject(value)
  const found = isInstance ? `an instance of ${value.constructor.name}` : describeValue(value)
  throw new TypeError(`${name} must be ${wanted}, found ${found}`)
}

/**
 * Checks that a value is a plain object with known fields. The fields of another object would be
 * ignored.
 *
 * @throws {TypeError}
 */
export function checkPlain(value: unknown, known: readonly string[], name: string): void {
  if (!isPlainObject(value)) refuse(name, 'a plain object', value)
  checkFields(value, known, name)
}

/**
 * Checks a condition.
 *
 * @throws {TypeError} If it is neither valid nor an asymmetric matcher.
 */
export function check(
  name: string,
  wanted: string,
  value: unknown,
  isValid: (value: unknown) => unknown,
): void {
  if (isAsymmetricMatcher(value) || isValid(value)) return
  refuse(name, `${wanted} or an asymmetric matcher`, value)
}

const acceptedFields = 'a plain object, pairs such as Headers'

/** How the conditions on the headers or on the query parameters are read. */
export interface FieldRules {
  toName(name: string): string
  /** Joins the values of a repeated name. */
  join(values: readonly string[]): unknown
  readonly wanted: string
  isValid(value: unknown, name: string): boolean
}

/**
 * Reads conditions on headers or on query parameters.
 *
 * @returns A plain object, or the asymmetric matcher that was given.
 * @throws {TypeError} If the value cannot be read, or can never match.
 */
export function readFields(part: string, value: unknown, rules: FieldRules): unknown {
  if (isAsymmetricMatcher(value)) return value
  const fields = new Map<string, unknown[]>()
  for (const [given, field] of toPairs(part, value)) {
    const name = rules.toName(given)
    fields.set(name, [...(fields.get(name) ?? []), field])
  }
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => {
      const all = values.every((each) => typeof each === 'string') ? rules.join(values) : values
      const wanted = values.length === 1 ? values[0] : all
      const isValid = () => wanted === undefined || rules.isValid(wanted, name)
      check(`${part}.${name}`, rules.wanted, wanted, isValid)
      return [name, wanted]
    }),
  )
}

function toPairs(part: string, value: unknown): readonly (readonly [string, unknown])[] {
  const isIterable = isObject(value) && Symbol.iterator in value
  const fields = isIterable ? value : applyToJson(value)
  // A second assertion with the same iterator would find nothing.
  const canBeRead = isIterable ? !('next' in value) : isPlainObject(fields)
  check(part, acceptedFields, value, () => canBeRead)
  if (!isIterable) return Object.entries(Object(fields))
  return Array.from(value as Iterable<unknown>, (pair, at) => {
    const isPair = Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string'
    if (isPair) return [pair[0], pair[1]]
    return refuse(`${part}[${at}]`, 'a pair', pair)
  })
}

const acceptedJson = 'JSON, a bigint, an object with toJSON other than Date'

/**
 * Reads a condition on a body: applies `toJSON`, and checks that the rest can be part of JSON.
 *
 * @param isJson Whether the operation takes JSON, so that text is never equal to its body.
 * @throws {TypeError} If a value cannot be compared, or can never match.
 */
export function readBodyCondition(body: unknown, isJson: boolean): unknown {
  const read = readJson(body, 'body', 0)
  const isText = typeof read === 'string' && (isJson || isObject(tryParseExactJson(read)))
  // A matcher accepts text.
  check('body', 'the parsed JSON body', read, () => !isText)
  return read
}

function readJson(value: unknown, name: string, depth: number): unknown {
  if (isAsymmetricMatcher(value)) return value
  const json = value instanceof Date ? value : applyToJson(value)
  check(name, acceptedJson, value, () => depth <= maximumDepth && isJsonValue(json))
  if (Array.isArray(json)) {
    return Array.from(json, (item: unknown, at) => readJson(item, `${name}[${at}]`, depth + 1))
  }
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, field]) => {
      // An undefined field is one that was not sent.
      return [key, field === undefined ? field : readJson(field, `${name}.${key}`, depth + 1)]
    }),
  )
}

/** Whether a value, without its fields, can be part of JSON. Large integers must be bigints. */
function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
  }
  const isPrimitive = value === null || ['string', 'boolean', 'bigint'].includes(typeof value)
  return isPrimitive || Array.isArray(value) || isPlainObject(value)
}

function applyToJson(value: unknown): unknown {
  const convert: unknown = isObject(value) && Reflect.get(value, 'toJSON')
  return typeof convert === 'function' ? Reflect.apply(convert, value, ['']) : value
}

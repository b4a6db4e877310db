import { tryParseExactJson } from '../../service/exact-json.js'
import { truncate } from '../../service/validation/message.js'
import { describeValue, maximumDepth, toPath } from '../../service/validation/validate.js'

/** The interface that the matchers of Jest, vitest and Playwright share. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an object of its own enumerable fields only, also of another realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return true
  const isObjectPrototype = Object.hasOwn(Object(prototype), 'hasOwnProperty')
  return isObjectPrototype && Object.prototype.toString.call(value) === '[object Object]'
}

/**
 * Checks that a value is a plain object without symbols. The fields of another one would be ignored.
 *
 * @throws {TypeError} If it is not.
 */
export function checkPlainObject(value: unknown, name: string): void {
  if (isPlainObject(value) && !hasSymbols(value)) return
  throw createError(name, 'a plain object', value)
}

function hasSymbols(value: object): boolean {
  return Object.getOwnPropertySymbols(value).length > 0
}

/** A list of names and values. A repeated name is a condition on all of its values. */
type Pairs = readonly (readonly [name: string, value: unknown])[]

const acceptedFields =
  'a plain object, Headers, URLSearchParams, an iterable of pairs or an asymmetric matcher'

/**
 * Reads conditions on headers or on query parameters.
 *
 * @param part `headers` or `query`.
 * @param toName Converts the names.
 * @param join Joins the values of a repeated name.
 * @returns A plain object, or the asymmetric matcher that was given.
 * @throws {TypeError} If the value cannot be read.
 */
export function readFields(
  part: string,
  value: unknown,
  toName: (name: string) => string,
  join: (values: readonly string[]) => unknown,
): Readonly<Record<string, unknown>> | AsymmetricMatcher {
  if (isAsymmetricMatcher(value)) return value
  const fields = new Map<string, unknown[]>()
  for (const [name, field] of toPairs(part, value)) {
    const known = fields.get(toName(name))
    if (known) known.push(field)
    else fields.set(toName(name), [field])
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => {
      if (values.length === 1) return [name, values[0]]
      if (values.every((field) => typeof field === 'string')) return [name, join(values)]
      throw new TypeError(`${part}.${name} must be one value, or strings, found ${values.length}`)
    }),
  )
}

function toPairs(part: string, value: unknown): Pairs {
  const iterate: unknown = isObject(value) && Reflect.get(value, Symbol.iterator)
  if (!isObject(value) || typeof iterate !== 'function') {
    const fields = applyToJson(value)
    if (!isPlainObject(fields) || hasSymbols(fields)) throw createError(part, acceptedFields, value)
    return Object.entries(fields)
  }
  // A second assertion with an iterator would find nothing.
  if (Reflect.apply(iterate, value, []) === value) throw createError(part, acceptedFields, value)
  return Array.from(value as Iterable<unknown>, (pair, at) => {
    if (Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string') {
      return [pair[0], pair[1]]
    }
    throw createError(`${part}[${at}]`, 'a pair of a name and a value', pair)
  })
}

const acceptedJson = 'a value of JSON, a bigint, an object with toJSON or an asymmetric matcher'

/**
 * Reads a condition on a body: applies `toJSON`, and checks that the rest can be part of JSON.
 *
 * @param isJson Whether the operation takes JSON, so that text is never equal to its body.
 * @throws {TypeError} If a value cannot be compared, or can never match.
 */
export function readBodyCondition(body: unknown, isJson: boolean): unknown {
  const read = readJson(body, ['body'])
  if (typeof read !== 'string' || !(isJson || isObject(tryParseExactJson(read)))) return read
  const advice = 'the parsed JSON body; for another text, pass expect.stringMatching'
  throw createError('body', advice, read)
}

function readJson(value: unknown, path: readonly PropertyKey[]): unknown {
  if (isAsymmetricMatcher(value)) return value
  const json = value instanceof Date ? value : applyToJson(value)
  const isOk = path.length <= maximumDepth && isJsonValue(json)
  if (!isOk) throw createError(toPath(path), acceptedJson, value)
  if (Array.isArray(json)) return json.map((item: unknown, at) => readJson(item, [...path, at]))
  if (!isObject(json)) return json
  const fields = Object.entries(json)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      // A field that was not sent.
      field === undefined ? undefined : readJson(field, [...path, name]),
    ]),
  )
}

/** Whether a value, without its fields, can be part of JSON. */
function isJsonValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return true
    case 'number':
      return Number.isFinite(value) && !hasLostDigits(value)
    case 'object':
      if (value === null) return true
      if (hasSymbols(value)) return false
      // An array with names has more keys, and one with holes has fewer.
      if (Array.isArray(value)) return Object.keys(value).length === value.length
      return isPlainObject(value)
    default:
      return false
  }
}

/** Whether a number is an integer that JSON has as digits of which a number has lost some. */
function hasLostDigits(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
}

function applyToJson(value: unknown): unknown {
  const convert: unknown = isObject(value) && Reflect.get(value, 'toJSON')
  return typeof convert === 'function' ? Reflect.apply(convert, value, ['']) : value
}

function createError(name: string, wanted: string, found: unknown): TypeError {
  return new TypeError(`${name} must be ${wanted}, found ${describeFound(found)}`)
}

/** Describes a value; an object of a class by its name. */
function describeFound(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (!isObject(value) || Array.isArray(value)) return describeValue(value)
  const name = typeof value.constructor === 'function' ? value.constructor.name : ''
  if (name === '' || name === 'Object')
    return hasSymbols(value) ? 'a symbol as a name' : 'an object'
  return `an object of the class ${truncate(name)}`
}

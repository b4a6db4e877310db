import { addresses } from '../../service/addresses.js'
import { maximumDepth } from '../../service/bounds.js'
import { allErrorCodes, type ErrorCode } from '../../service/errors.js'
import { type OperationId, operationIds } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { checkFields, isObject, isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { faultCodes } from '../faults/response.js'

/** The interface that the matchers of Jest, vitest and Playwright share. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/** The type of an asymmetric matcher. Playwright declares its matchers as plain objects. */
export type Matcher = AsymmetricMatcher | Readonly<Record<string, unknown>>

/** Conditions on journal entries. An omitted field matches every entry. */
export interface RequestFilter {
  readonly operation?: string | undefined
  readonly status?: number | Matcher | undefined
  /** The `code` of the Error body, from the catalogue or from a fault. */
  readonly code?: ErrorCode | (string & {}) | Matcher | undefined
  /** Case-insensitive. An asymmetric matcher gets the method in upper case. */
  readonly method?: string | Matcher | undefined
  /** Path below the base address, as sent, without the query: `/inventory/7`. */
  readonly path?: string | Matcher | undefined
  /** Earliest time on the world's clock, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined
  /**
   * If true, matches only requests without an operation and a handler of the user. If false, only other
   * requests.
   */
  readonly unmatched?: boolean | undefined
  /**
   * Fields that the JSON body of the request contains, at any depth, or a string: the body as it was
   * sent. `undefined` matches a field that was not sent. Values may be asymmetric matchers of a test
   * runner, such as `expect.any(Number)`, and objects with `toJSON`. A `bigint` matches an integer
   * exactly.
   */
  readonly body?: unknown
  /**
   * Request headers. Names are case-insensitive; `undefined` matches a header that was not sent.
   * `Headers` and other iterables of pairs are read; an asymmetric matcher gets all headers by name.
   * Credentials are recorded in masked form; matchers cannot be compared with them.
   */
  readonly headers?: Conditions<string> | undefined
  /**
   * Decoded query parameters. A string matches one value of a repeated parameter, and an array all
   * values. An asymmetric matcher matches one value, or the array of all. A matcher of the whole
   * query gets a string for each parameter, and an array for a repeated one. `URLSearchParams` and
   * other iterables of pairs are read; a name that they repeat is an array of all values.
   */
  readonly query?: Conditions<string | readonly string[]> | undefined
}

/** An object, an iterable of pairs that can be read again, such as `Headers`, or a matcher of all. */
type Conditions<Value> =
  | Readonly<Record<string, Value | Matcher | undefined>>
  | Iterable<readonly [name: string, value: Value | Matcher | undefined]>
  | AsymmetricMatcher

/** Additional conditions of a query. */
export type RequestConditions = Omit<RequestFilter, 'operation' | 'unmatched'>

/** The id of an operation of the service, or a filter. */
export type RequestQuery =
  | OperationId
  | (RequestFilter & { readonly operation?: OperationId | undefined })

/** The codes of the catalogue, and the default codes of faults. */
const knownCodes = [...allErrorCodes, ...faultCodes]

/** Functions that read the fields of a filter in the order of comparison, or throw a `TypeError`. */
const fields = {
  operation: (value) =>
    readName('operation', 'the id of an operation of the service', value, operationIds),
  method: (value) =>
    isString(value) ? value.toUpperCase() : check('method', 'a method such as "GET"', value, false),
  path: (value) =>
    check('path', 'a path below the base address, such as "/inventory/7"', value, isPath(value)),
  status: (value) => check('status', '0 or a status such as 429', value, Number.isInteger(value)),
  code: (value, codes) =>
    isAsymmetricMatcher(value)
      ? value
      : readName('code', 'a code of an Error body', value, [...knownCodes, ...codes]),
  sinceMs(value) {
    // The range of `Date`.
    if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return value
    return refuse('sinceMs', 'a number of milliseconds since the epoch', value)
  },
  unmatched: (value) =>
    typeof value === 'boolean' ? value : refuse('unmatched', 'true or false', value),
  query: (value) => readPairs('query', value),
  headers: (value) => readPairs('headers', value),
  body: (value) => readBody(value),
} satisfies Record<keyof RequestFilter, (value: unknown, codes: readonly string[]) => unknown>

export const filterFields = Object.keys(fields) as (keyof RequestFilter)[] // the keys of a const table

/**
 * Converts a query with additional conditions to a filter without undefined fields. Its `headers` and
 * `query` are plain objects or matchers, with the names of headers in lower case; its method is in
 * upper case.
 *
 * @param codes Codes of Error bodies beyond the catalogue.
 * @throws {TypeError} If a field, the operation or the code is unknown, a value cannot be compared, or
 * the query and the conditions have the same field.
 */
export function toRequestFilter(
  query: RequestQuery | RequestFilter,
  codes: readonly string[],
  conditions: RequestFilter = {},
  owner = 'the filter',
): RequestFilter {
  const first: RequestFilter = typeof query === 'string' ? { operation: query } : query
  checkPlain(first, filterFields, owner)
  checkPlain(conditions, filterFields, 'the second argument')
  const filter: Record<string, unknown> = {}
  for (const name of filterFields) {
    const [value, other] = [first[name], conditions[name]].filter((each) => each !== undefined)
    if (other !== undefined) throw new TypeError(`both arguments have the condition ${name}`)
    if (value !== undefined) filter[name] = fields[name](value, codes)
  }
  return filter
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether a value can be the path of a request: no template, and below the path of an address. */
function isPath(value: unknown): boolean {
  if (!isString(value) || !/^(?:(?!.*\/:)\/[^?#{]*)?$/.test(value)) return false
  return Object.values(addresses).every(({ httpPath }) => !value.startsWith(`${httpPath}/`))
}

function readName(name: string, wanted: string, value: unknown, known: readonly string[]): string {
  if (!isString(value)) return refuse(name, wanted, value)
  if (known.includes(value)) return value
  const hint = suggestName(value, known)
  throw new TypeError(`${name} must be ${wanted}, found "${truncate(value)}"${hint}`)
}

/** Converts conditions on headers or query parameters to a plain object, unless they are a matcher. */
function readPairs(part: 'headers' | 'query', value: unknown): unknown {
  if (isAsymmetricMatcher(value)) return value
  const isQuery = part === 'query'
  const kind = isQuery ? 'a string or an array of strings' : 'a string'
  const fields = new Map<string, unknown[]>()
  for (const [given, field] of toPairs(part, value)) {
    const name = isQuery ? given : given.toLowerCase()
    fields.set(name, [...(fields.get(name) ?? []), field])
  }
  const conditions = Array.from(fields, ([name, values]) => {
    const isJoined = !isQuery && values.every(isString)
    const [wanted] = values.length === 1 ? values : [isJoined ? values.join(', ') : values]
    const texts = isQuery ? [wanted].flat() : [wanted]
    if (wanted !== undefined) check(`${part}.${name}`, kind, wanted, texts.every(isString))
    return [name, wanted]
  })
  return Object.fromEntries(conditions)
}

function toPairs(part: string, value: unknown): readonly (readonly [string, unknown])[] {
  const isIterable = isObject(value) && Symbol.iterator in value
  const fields = isIterable ? value : applyToJson(value)
  // A second assertion with the same iterator would find nothing.
  const canBeRead = isIterable ? !('next' in value) : isPlainObject(fields)
  check(part, 'a plain object, pairs such as Headers', value, canBeRead)
  if (!isIterable) return Object.entries(Object(fields))
  return Array.from(value as Iterable<unknown>, (pair, at) => {
    const isPair = Array.isArray(pair) && pair.length === 2 && isString(pair[0])
    return isPair ? [pair[0], pair[1]] : refuse(`${part}[${at}]`, 'a pair', pair)
  })
}

/** Reads a condition on a body: applies `toJSON`, and checks that the rest can be part of JSON. */
function readBody(value: unknown, name = 'body', depth = 0): unknown {
  if (isAsymmetricMatcher(value)) return value
  const json = applyToJson(value)
  const wanted = 'JSON, a bigint, an object with toJSON'
  check(name, wanted, value, depth <= maximumDepth && isJsonValue(json))
  if (Array.isArray(json)) {
    return Array.from(json, (item: unknown, at) => readBody(item, `${name}[${at}]`, depth + 1))
  }
  // An entry has a bigint only where a number cannot represent the integer.
  if (typeof json === 'bigint' && Number.isSafeInteger(Number(json))) return Number(json)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, field]) => {
      // An undefined field matches a field that was not sent.
      return [key, field === undefined ? field : readBody(field, `${name}.${key}`, depth + 1)]
    }),
  )
}

/** Whether a value can be part of JSON, apart from its fields. Large integers must be bigints. */
function isJsonValue(value: unknown): boolean {
  const isPrimitive = value === null || ['string', 'boolean', 'bigint'].includes(typeof value)
  const isExact =
    Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
  return isPrimitive || isExact || Array.isArray(value) || isPlainObject(value)
}

function applyToJson(value: unknown): unknown {
  const convert: unknown = isObject(value) && Reflect.get(value, 'toJSON')
  return typeof convert === 'function' ? Reflect.apply(convert, value, ['']) : value
}

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

/** @throws {TypeError} If a value is not a plain object, or has an unknown field. */
export function checkPlain(value: unknown, known: readonly string[], name: string): void {
  if (!isPlainObject(value)) refuse(name, 'a plain object', value)
  checkFields(value, known, name)
}

/** @throws {TypeError} If a condition is neither valid nor an asymmetric matcher. */
function check(name: string, wanted: string, value: unknown, isValid: boolean): unknown {
  if (isAsymmetricMatcher(value) || isValid) return value
  return refuse(name, `${wanted} or an asymmetric matcher`, value)
}

/** @throws {TypeError} Always: the condition has a wrong value. */
function refuse(name: string, wanted: string, value: unknown): never {
  const isInstance = isObject(value) && !Array.isArray(value) && !isPlainObject(value)
  const found = isInstance ? `an instance of ${value.constructor.name}` : describeValue(value)
  throw new TypeError(`${name} must be ${wanted}, found ${found}`)
}

import { addresses } from '../../service/addresses.js'
import { maximumDepth } from '../../service/bounds.js'
import { allErrorCodes, type ErrorCode } from '../../service/errors.js'
import { type OperationId, operationIds } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { checkFields, isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'

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
  /** The `code` of the Error body: one of the catalogue, or of a fault. */
  readonly code?: ErrorCode | (string & {}) | Matcher | undefined
  /** Case-insensitive. An asymmetric matcher gets the method in upper case. */
  readonly method?: string | Matcher | undefined
  /** Path below the base address, as sent, without the query: `/inventory/7`. */
  readonly path?: string | Matcher | undefined
  /** Earliest time on the world's clock, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined
  /**
   * If true, matches only requests that matched neither an operation nor a handler of the user. If
   * false, only the others.
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
   * `Headers` and other iterables of pairs are read. Credentials are recorded in masked form, with
   * which no matcher can be compared.
   */
  readonly headers?: Conditions<string> | Pairs<string> | AsymmetricMatcher | undefined
  /**
   * Decoded query parameters. A string matches one value of a repeated parameter, and an array all
   * values. An asymmetric matcher matches one value, or the array of all. A matcher of the whole
   * query gets a string for each parameter, and an array for a repeated one. `URLSearchParams` and
   * other iterables of pairs are read; a name that they repeat is an array of all values.
   */
  readonly query?:
    | Conditions<string | readonly string[]>
    | Pairs<string | readonly string[]>
    | AsymmetricMatcher
    | undefined
}

type Conditions<Value> = Readonly<Record<string, Value | Matcher | undefined>>

/** `Headers`, `URLSearchParams`, a `Map`, or another iterable that can be read again. */
type Pairs<Value> = Iterable<readonly [name: string, value: Value | Matcher | undefined]>

/** Conditions in addition to those of a query. */
export type RequestConditions = Omit<RequestFilter, 'operation' | 'unmatched'>

/** The id of an operation of the service, or a filter. */
export type RequestQuery =
  | OperationId
  | (RequestFilter & { readonly operation?: OperationId | undefined })

/** Names of the fields of a filter, in the order in which they are compared. */
export const filterFields = [
  'operation',
  'method',
  'path',
  'status',
  'code',
  'sinceMs',
  'unmatched',
  'query',
  'headers',
  'body',
] as const satisfies readonly (keyof RequestFilter)[]

/** Codes that faults have by default, in addition to those of the catalogue. */
const faultCodes = ['bad_gateway', 'gateway_timeout', 'simulated_fault']

/**
 * Converts a query to a filter without undefined fields. Its `headers` and `query` are plain objects
 * or matchers, with the names of headers in lower case; its method is in upper case.
 *
 * @param extraCodes The codes of Error bodies in addition to those of the catalogue.
 * @throws {TypeError} If a field, the operation or the code is unknown, or a value cannot be compared.
 */
export function toRequestFilter(
  query: RequestQuery | RequestFilter,
  extraCodes: readonly string[],
  owner = 'the filter',
): RequestFilter {
  const given: RequestFilter = typeof query === 'string' ? { operation: query } : query
  checkPlain(given, filterFields, owner)
  const { operation, code, method, body, sinceMs = 0, unmatched = false } = given
  if (operation !== undefined) {
    checkName('operation', 'the id of an operation of the service', operation, operationIds)
  }
  for (const [name, wanted, isValid] of valueChecks) {
    if (given[name] !== undefined) check(name, wanted, given[name], isValid)
  }
  // The range of `Date`.
  if (typeof sinceMs !== 'number' || !(Math.abs(sinceMs) <= 8.64e15)) {
    refuse('sinceMs', 'a number of milliseconds since the epoch', sinceMs)
  }
  if (typeof unmatched !== 'boolean') refuse('unmatched', 'true or false', unmatched)
  if (code !== undefined && !isAsymmetricMatcher(code)) {
    const codes = [...allErrorCodes, ...faultCodes, ...extraCodes]
    checkName('code', 'a code of an Error body', code, codes)
  }
  const read = {
    ...given,
    method: typeof method === 'string' ? method.toUpperCase() : method,
    headers: readFields('headers', given.headers),
    query: readFields('query', given.query),
    body: body === undefined ? body : readBody(body),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** Fields with a single value or a matcher: what the value must be, and whether it is. */
const valueChecks = [
  ['status', '0 or a status such as 429', Number.isInteger],
  ['method', 'a method such as "GET"', isString],
  ['path', 'a path below the base address, such as "/inventory/7"', isPath],
] as const

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * Whether a value is a path below a base address. Neither that of the documentation, with names in
 * braces, nor one that includes the path of an address can match.
 */
function isPath(value: unknown): boolean {
  if (!isString(value) || !/^(?:(?!.*\/:)\/[^?#{]*)?$/.test(value)) return false
  return Object.values(addresses).every(({ httpPath }) => !value.startsWith(`${httpPath}/`))
}

function checkName(name: string, wanted: string, value: unknown, known: readonly string[]): void {
  if (!isString(value)) refuse(name, wanted, value)
  if (known.includes(value)) return
  const hint = suggestName(value, known)
  throw new TypeError(`${name} must be ${wanted}, found "${truncate(value)}"${hint}`)
}

/**
 * Reads conditions on headers or on query parameters.
 *
 * @returns A plain object, or the asymmetric matcher that was given.
 * @throws {TypeError} If the value cannot be read.
 */
function readFields(part: 'headers' | 'query', value: unknown): unknown {
  if (value === undefined || isAsymmetricMatcher(value)) return value
  const isQuery = part === 'query'
  const kind = isQuery ? 'a string or an array of strings' : 'a string'
  const isValid = (wanted: unknown) => (isQuery ? [wanted].flat() : [wanted]).every(isString)
  const fields = new Map<string, unknown[]>()
  for (const [given, field] of toPairs(part, value)) {
    const name = isQuery ? given : given.toLowerCase()
    fields.set(name, [...(fields.get(name) ?? []), field])
  }
  return Object.fromEntries(
    Array.from(fields, ([name, values]) => {
      const isJoined = !isQuery && values.every(isString)
      const [wanted] = values.length === 1 ? values : [isJoined ? values.join(', ') : values]
      if (wanted !== undefined) check(`${part}.${name}`, kind, wanted, isValid)
      return [name, wanted]
    }),
  )
}

function toPairs(part: string, value: unknown): readonly (readonly [string, unknown])[] {
  const isIterable = isObject(value) && Symbol.iterator in value
  const fields = isIterable ? value : applyToJson(value)
  // A second assertion with the same iterator would find nothing.
  const canBeRead = isIterable ? !('next' in value) : isPlainObject(fields)
  check(part, 'a plain object, pairs such as Headers', value, () => canBeRead)
  if (!isIterable) return Object.entries(Object(fields))
  return Array.from(value as Iterable<unknown>, (pair, at) => {
    const isPair = Array.isArray(pair) && pair.length === 2 && isString(pair[0])
    return isPair ? [pair[0], pair[1]] : refuse(`${part}[${at}]`, 'a pair', pair)
  })
}

/**
 * Reads a condition on a body: applies `toJSON`, and checks that the rest can be part of JSON.
 *
 * @throws {TypeError} If a value cannot be compared.
 */
function readBody(value: unknown, name = 'body', depth = 0): unknown {
  if (isAsymmetricMatcher(value)) return value
  const json = applyToJson(value)
  const wanted = 'JSON, a bigint, an object with toJSON'
  check(name, wanted, value, () => depth <= maximumDepth && isJsonValue(json))
  if (Array.isArray(json)) {
    return Array.from(json, (item: unknown, at) => readBody(item, `${name}[${at}]`, depth + 1))
  }
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, field]) => {
      // An undefined field is one that was not sent.
      return [key, field === undefined ? field : readBody(field, `${name}.${key}`, depth + 1)]
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

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
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
function check(
  name: string,
  wanted: string,
  value: unknown,
  isValid: (value: unknown) => boolean,
): void {
  if (isAsymmetricMatcher(value) || isValid(value)) return
  refuse(name, `${wanted} or an asymmetric matcher`, value)
}

/** @throws {TypeError} That a condition is not the wanted one. */
function refuse(name: string, wanted: string, value: unknown): never {
  const isInstance = isObject(value) && !Array.isArray(value) && !isPlainObject(value)
  const found = isInstance ? `an instance of ${value.constructor.name}` : describeValue(value)
  throw new TypeError(`${name} must be ${wanted}, found ${found}`)
}

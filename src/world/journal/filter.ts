import { addresses } from '../../service/addresses.js'
import { allErrorCodes, type ErrorCode } from '../../service/errors.js'
import type { Operation } from '../../service/operations/operation.js'
import { type OperationId, operationIds, operations } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import {
  type AsymmetricMatcher,
  check,
  checkPlain,
  type FieldRules,
  isAsymmetricMatcher,
  readBodyCondition,
  readFields,
  refuse,
} from './conditions.js'

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
   * Fields that the JSON body of the request contains, at any depth. `undefined` matches a field that
   * was not sent. Values may be asymmetric matchers of a test runner, such as `expect.any(Number)`, and
   * objects with `toJSON`. A `bigint` matches an integer exactly.
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
export const filterFields = Object.keys({
  operation: true,
  method: true,
  path: true,
  status: true,
  code: true,
  sinceMs: true,
  unmatched: true,
  query: true,
  headers: true,
  body: true,
} satisfies Record<keyof RequestFilter, true>) as (keyof RequestFilter)[] // all of them

/** Codes that faults have by default, in addition to those of the catalogue. */
const faultCodes = ['bad_gateway', 'gateway_timeout', 'simulated_fault']

/**
 * Converts a query to a filter without undefined fields. Its `headers` and `query` are plain objects
 * or matchers, with the names of headers in lower case; its method is in upper case.
 *
 * @param listCodes Returns the codes of Error bodies in addition to those of the catalogue.
 * @throws {TypeError} If a field, the operation or the code is unknown, or a value cannot be compared
 * or can never match.
 */
export function toRequestFilter(
  query: RequestQuery | RequestFilter,
  listCodes: () => readonly string[] = () => [],
  owner = 'the filter',
): RequestFilter {
  const given: RequestFilter = typeof query === 'string' ? { operation: query } : query
  checkPlain(given, filterFields, owner)
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const filter: Record<string, unknown> = Object.fromEntries(fields)
  const { operation, method, body } = given
  if (operation !== undefined) {
    checkName('operation', 'the id of an operation of the service', operation, operationIds)
  }
  checkValues(given, listCodes)
  const definition: Operation | undefined = operations[operation as OperationId] // may be undefined
  if (definition) checkOperation(given, definition)
  if (typeof method === 'string') filter.method = method.toUpperCase()
  for (const [part, rules] of Object.entries(fieldRules)) {
    if (part in filter) filter[part] = readFields(part, filter[part], rules)
  }
  if (body !== undefined) filter.body = readBodyCondition(body, definition?.request !== undefined)
  return filter
}

/** @throws {TypeError} If a condition on a single value is invalid. */
function checkValues(filter: RequestFilter, listCodes: () => readonly string[]): void {
  const { operation, code, sinceMs = 0, unmatched = false } = filter
  checkField(filter, 'status', '0 or a status such as 429', isStatus)
  checkField(filter, 'method', 'a method such as "GET"', isToken)
  checkField(filter, 'path', 'a path below the base address, such as "/inventory/7"', isPath)
  // The range of `Date`.
  if (typeof sinceMs !== 'number' || !(Math.abs(sinceMs) <= 8.64e15)) {
    refuse('sinceMs', 'a number of milliseconds since the epoch', sinceMs)
  }
  if (typeof unmatched !== 'boolean' || (unmatched && operation)) {
    refuse('unmatched', 'true, false for an operation', unmatched)
  }
  if (code === undefined || isAsymmetricMatcher(code)) return
  const known = [...allErrorCodes, ...faultCodes, ...listCodes()]
  checkName('code', 'a code of an Error body', code, known)
}

/** @throws {TypeError} If no request of the operation of a filter can meet another condition. */
function checkOperation(filter: RequestFilter, { method, path }: Operation): void {
  const { operation } = filter
  const methods: readonly string[] = method === 'GET' ? ['GET', 'HEAD'] : [method]
  const isMethod = (value: string) => methods.includes(value.toUpperCase())
  checkField(filter, 'method', `that of ${operation}, ${method},`, isMethod)
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  checkField(filter, 'path', `one of ${operation}, ${path},`, (value) => pattern.test(value))
}

/** Checks a condition on a string or a number. */
function checkField(
  filter: RequestFilter,
  name: 'status' | 'method' | 'path',
  wanted: string,
  isValid: (value: string) => boolean,
): void {
  const value = filter[name]
  if (value !== undefined) check(name, wanted, value, () => isValid(value as string)) // checked by it
}

const fieldRules: Readonly<Record<'headers' | 'query', FieldRules>> = {
  headers: {
    toName: (name) => name.toLowerCase(),
    join: (values) => values.join(', '),
    wanted: 'a string without line breaks',
    isValid: (value, name) => isToken(name) && isString(value) && /^(?:\S(?:.*\S)?)?$/.test(value),
  },
  query: {
    toName: String,
    join: (values) => values,
    wanted: 'a string or an array of strings',
    isValid: (value) => (Array.isArray(value) ? value.every(isString) : isString(value)),
  },
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isStatus(value: unknown): boolean {
  return typeof value === 'number' && /^(?:0|[1-5]\d\d)$/.test(`${value}`)
}

function isToken(value: unknown): boolean {
  return isString(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value)
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

import { addresses } from '../../service/addresses.js'
import { allErrorCodes, type ErrorCode } from '../../service/errors.js'
import { type OperationId, operationIds, operations } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { checkFields } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import {
  type AsymmetricMatcher,
  checkPlainObject,
  isAsymmetricMatcher,
  readBodyCondition,
  readFields,
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

/** Names of the fields of a filter. */
export const filterFields = Object.keys({
  operation: true,
  status: true,
  code: true,
  method: true,
  path: true,
  sinceMs: true,
  unmatched: true,
  body: true,
  headers: true,
  query: true,
} satisfies Record<keyof RequestFilter, true>)

/** Names of the conditions that may be added to a query. */
export const conditionFields = filterFields.filter(
  (name) => name !== 'operation' && name !== 'unmatched',
)

/** Codes that faults have by default, in addition to those of the catalogue. */
const faultCodes = ['bad_gateway', 'service_unavailable', 'gateway_timeout', 'simulated_fault']

/**
 * Converts a query to a filter, in which `headers` and `query` are plain objects or matchers, and the
 * names of headers in lower case.
 *
 * @param listCodes Returns the codes of Error bodies in addition to those of the catalogue.
 * @throws {TypeError} If a field, the operation or the code is unknown, or a value cannot be compared
 * or can never match.
 */
export function toRequestFilter(
  query: RequestQuery,
  listCodes: () => readonly string[] = () => [],
  owner = 'the filter',
): RequestFilter {
  const filter: RequestFilter = typeof query === 'string' ? { operation: query } : query
  if (isAsymmetricMatcher(filter)) throw new TypeError(`${owner} must not be an asymmetric matcher`)
  checkFields(filter, filterFields, owner)
  checkPlainObject(filter, owner)
  const { operation, status, code, method, path, sinceMs, unmatched } = filter
  checkName('operation', 'the id of an operation of the service', operation, operationIds)
  check('status', '0 or a status such as 429', status, isStatus, true)
  if (code !== undefined && !isAsymmetricMatcher(code)) {
    const known = [...allErrorCodes, ...faultCodes, ...listCodes()]
    checkName('code', 'a code of an Error body', code, known)
  }
  check('method', 'a method such as "GET"', method, isMethod, true)
  check('path', 'a path such as "/inventory/7", without a query', path, isPath, true)
  checkBase(path)
  check('sinceMs', 'a number of milliseconds since the epoch', sinceMs, isTime)
  check('unmatched', 'true or false', unmatched, (value) => typeof value === 'boolean')
  checkTemplate(path)
  if (operation !== undefined) checkOperation(operation as OperationId, filter) // checked above
  return { ...filter, ...readParts(filter) }
}

/**
 * Adds conditions to a filter.
 *
 * @throws {TypeError} If they are not a plain object, or if a field has a condition in both.
 */
export function addConditions(filter: RequestFilter, conditions: RequestConditions): RequestQuery {
  checkFields(conditions, conditionFields, 'the second argument')
  checkPlainObject(conditions, 'the second argument')
  const given = Object.entries(conditions).filter(([, wanted]) => wanted !== undefined)
  for (const [name] of given) {
    if (filter[name as keyof RequestFilter] === undefined) continue // checked above
    const wanted = 'either in the first argument or in the second'
    throw new TypeError(`${name} must be ${wanted}, found both`)
  }
  return { ...filter, ...Object.fromEntries(given) } as RequestQuery // `toRequestFilter` checks it
}

/** Reads the conditions whose values can have several forms. Omits those that are undefined. */
function readParts({ operation, headers, query, body }: RequestFilter): Partial<RequestFilter> {
  const parts: { headers?: unknown; query?: unknown; body?: unknown } = {}
  if (headers !== undefined) {
    parts.headers = readFields('headers', headers, toLowerCase, (values) => values.join(', '))
    checkValues('headers', 'a string without line breaks', parts.headers, isHeader)
    checkHeaderNames(parts.headers)
  }
  if (query !== undefined) {
    parts.query = readFields('query', query, String, (values) => values)
    checkValues('query', 'a string or an array of strings', parts.query, isParameter)
  }
  if (body !== undefined) {
    const takesJson = operations[operation as OperationId]?.request !== undefined // or undefined
    parts.body = readBodyCondition(body, takesJson)
  }
  return parts as Partial<RequestFilter> // the values were checked
}

function toLowerCase(name: string): string {
  return name.toLowerCase()
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isStatus(value: unknown): boolean {
  return value === 0 || (Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600)
}

const token = /^[\w!#$%&'*+.^`|~-]+$/

function isMethod(value: unknown): boolean {
  return typeof value === 'string' && token.test(value)
}

/** Whether a value is the value of a header as it is received: without space around it. */
function isHeader(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/.test(value)
  )
}

function checkHeaderNames(headers: unknown): void {
  if (isAsymmetricMatcher(headers)) return
  const invalid = Object.keys(headers ?? {}).find((name) => !token.test(name))
  if (invalid === undefined) return
  throw new TypeError(`headers must have valid names, found ${describeValue(invalid)}`)
}

/** Whether a value is a time that a `Date` can have. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}

/** A template of the documentation is not the path of a request. */
function checkTemplate(path: unknown): void {
  if (typeof path !== 'string' || !/\{\w+\}/.test(path)) return
  const wanted = 'that of a request, such as "/inventory/7", or an asymmetric matcher'
  throw new TypeError(
    `path must be ${wanted}, found the template ${JSON.stringify(truncate(path))}`,
  )
}

/** @throws {TypeError} If no request of an operation can meet another condition. */
function checkOperation(id: OperationId, { method, path, unmatched }: RequestFilter): void {
  const operation = operations[id]
  const methods: readonly string[] =
    operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]
  const isOf = (found: unknown) => methods.includes(String(found).toUpperCase())
  check('method', `that of ${id}, ${methods.join(' or ')}`, method, isOf, true)
  check('unmatched', `false, because ${id} is an operation`, unmatched, (value) => value === false)
  if (typeof path !== 'string' || isPathOf(operation.path, path)) return
  const found = JSON.stringify(truncate(path))
  throw new TypeError(`path must be one of ${id}, ${operation.path}, found ${found}`)
}

/** Whether a path matches a template. */
function isPathOf(template: string, path: string): boolean {
  const segments = path.split('/')
  const expected = template.split('/')
  return (
    segments.length === expected.length &&
    expected.every((part, at) =>
      part.startsWith('{') ? segments[at] !== '' : part === segments[at],
    )
  )
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\/[^?#]*)?$/.test(value)
}

/** A path that includes that of its base address is the most likely mistake, and would never match. */
function checkBase(path: unknown): void {
  if (typeof path !== 'string') return
  const address = Object.values(addresses).find(
    ({ api, httpPath }) => api === 'service' && path.startsWith(`${httpPath}/`),
  )
  if (!address) return
  const base = address.httpPath
  const rest = path.slice(base.length)
  const isOperation = Object.values(operations).some(
    ({ path: template }) => rest.split('/')[1] === template.split('/')[1],
  )
  if (!isOperation) return
  const found = JSON.stringify(truncate(path))
  throw new TypeError(
    `path must be below the base address, ${JSON.stringify(truncate(rest))} without "${base}", found ${found}`,
  )
}

function isParameter(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isString) : isString(value)
}

function check(
  name: string,
  wanted: string,
  value: unknown,
  isValid: (value: unknown) => boolean,
  acceptsMatcher = false,
): void {
  if (value === undefined || isValid(value)) return
  if (acceptsMatcher && isAsymmetricMatcher(value)) return
  const found = isAsymmetricMatcher(value) ? 'an asymmetric matcher' : describeValue(value)
  throw new TypeError(
    `${name} must be ${wanted}${acceptsMatcher ? ' or an asymmetric matcher' : ''}, found ${found}`,
  )
}

function checkName(name: string, wanted: string, value: unknown, known: readonly string[]): void {
  check(name, wanted, value, isString)
  if (typeof value !== 'string' || known.includes(value)) return
  const hint = suggestName(value, known)
  throw new TypeError(`${name} must be ${wanted}, found "${truncate(value)}"${hint}`)
}

function checkValues(
  name: string,
  wanted: string,
  values: unknown,
  isValid: (value: unknown) => boolean,
): void {
  if (isAsymmetricMatcher(values)) return
  for (const [field, value] of Object.entries(values ?? {})) {
    check(`${name}.${field}`, wanted, value, isValid, true)
  }
}

import { addresses } from '../../service/addresses.js'
import { allErrorCodes, type ErrorCode } from '../../service/errors.js'
import { type OperationId, operationIds, operations } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { checkFields } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'

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
   * Fields that the JSON body of the request contains, at any depth. Values may be asymmetric
   * matchers of a test runner, such as `expect.any(Number)`. A `bigint` matches an integer exactly.
   */
  readonly body?: unknown
  /**
   * Request headers. Names are case-insensitive; `undefined` matches a header that was not sent.
   * Credentials are recorded in masked form.
   */
  readonly headers?: Conditions<string> | AsymmetricMatcher | undefined
  /**
   * Decoded query parameters. A string matches one value of a repeated parameter, and an array all
   * values. An asymmetric matcher matches one value, or the array of all. A matcher of the whole
   * query gets a string for each parameter, and an array for a repeated one.
   */
  readonly query?: Conditions<string | readonly string[]> | AsymmetricMatcher | undefined
}

type Conditions<Value> = Readonly<Record<string, Value | Matcher | undefined>>

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

/** Codes that faults have by default, in addition to those of the catalogue. */
const faultCodes = ['bad_gateway', 'service_unavailable', 'gateway_timeout', 'simulated_fault']

/**
 * Converts a query to a filter.
 *
 * @param listCodes Returns the codes of Error bodies in addition to those of the catalogue.
 * @throws {TypeError} If a field, the operation or the code is unknown, or a value is invalid. Such a
 * filter would never match.
 */
export function toRequestFilter(
  query: RequestQuery,
  listCodes: () => readonly string[] = () => [],
  owner = 'the filter',
): RequestFilter {
  const filter: RequestFilter = typeof query === 'string' ? { operation: query } : query
  if (isAsymmetricMatcher(filter)) throw new TypeError(`${owner} must not be an asymmetric matcher`)
  checkFields(filter, filterFields, owner)
  const { operation, status, code, method, path, sinceMs, unmatched, headers } = filter
  checkName('operation', 'the id of an operation of the service', operation, operationIds)
  check('status', '0 or a status such as 429', status, isStatus, true)
  if (code !== undefined && !isAsymmetricMatcher(code)) {
    checkName('code', 'a code of an Error body', code, [
      ...allErrorCodes,
      ...faultCodes,
      ...listCodes(),
    ])
  }
  check('method', 'a method such as "GET"', method, isString, true)
  check('path', 'a path such as "/inventory/7", without a query', path, isPath, true)
  checkBase(path)
  check('sinceMs', 'a number of milliseconds since the epoch', sinceMs, Number.isFinite)
  check('unmatched', 'true or false', unmatched, (value) => typeof value === 'boolean')
  checkValues('headers', 'a string', headers, isString)
  checkValues('query', 'a string or an array of strings', filter.query, isParameter)
  return filter
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isStatus(value: unknown): boolean {
  return value === 0 || (Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600)
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
  check(name, 'an object', values, (value) => isObject(value) && !Array.isArray(value))
  if (isAsymmetricMatcher(values)) return
  for (const [field, value] of Object.entries(values ?? {})) {
    check(`${name}.${field}`, wanted, value, isValid, true)
  }
}

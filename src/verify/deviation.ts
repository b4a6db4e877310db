import { truncate } from '../service/validation/message.js'
import { isPlainObject } from '../service/validation/options.js'
import { type CheckRequest, type Deviation, type Exchange, Skip } from './check.js'

/** Returns one deviation unless a condition is met. */
export function expectThat(
  isMet: boolean,
  expected: string,
  actual: unknown,
  ...exchanges: readonly Exchange[]
): readonly Deviation[] {
  return isMet ? [] : [{ expected, actual: describeValue(actual), exchanges }]
}

/** Returns one deviation unless a response has a status. */
export function expectStatus(exchange: Exchange, status: number): readonly Deviation[] {
  const isMet = exchange.status === status
  return expectThat(isMet, `status ${status}`, describeResponse(exchange), exchange)
}

/** Returns one deviation unless the status is 400 to 499. */
export function expectRejection(exchange: Exchange, what: string): readonly Deviation[] {
  const isMet = exchange.status >= 400 && exchange.status < 500
  return expectThat(isMet, `a 4xx status for ${what}`, describeResponse(exchange), exchange)
}

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300
}

/** Whether no operation has the method and path of a request. */
export function isUnrouted({ status }: Exchange): boolean {
  return status === 404 || status === 405
}

/** Returns the status, the target of a redirect and the body. */
export function describeResponse({ status, headers, text }: Exchange): string {
  const location = headers.get('location')
  const target = location === undefined ? '' : ` to ${location}`
  return `status ${status}${target}${text === '' ? '' : ` with ${text.slice(0, maximumLength)}`}`
}

/** Returns why a check cannot use a response: `getPet responded with 404 (pet_not_found)`. */
export function toSkip(operation: string, { status, json }: Exchange): Skip {
  const code = status >= 400 ? toObject(json)?.code : undefined
  const shown = typeof code === 'string' && code !== '' ? ` (${truncate(code)})` : ''
  return new Skip(`${operation} responded with ${status}${shown}`)
}

/** Returns the method and path of a request. */
export function describeRequest({ method = 'GET', path }: CheckRequest): string {
  return `${method} ${path}`
}

/** A finding shows far less. */
const maximumLength = 1_000

/** Returns a string as it is, and any other value of JSON as JSON, with all digits. */
export function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : formatExactJson(value)
  return text.slice(0, maximumLength)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Returns the object that a body is, or undefined. */
export function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isPlainObject(value) ? value : undefined
}

/** Formats a value of `parseExactJson` as JSON, with all digits; undefined as `nothing`. */
export function formatExactJson(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(formatExactJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${formatExactJson(field)}`,
  )
  return `{${fields.join()}}`
}

import { isPlainObject } from '../service/validation/options.js'
import type { CheckRequest, Exchange } from './request.js'

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300
}

export function isRejected({ status }: Exchange): boolean {
  return status >= 400 && status < 500
}

/** Whether no operation has the method and path of a request. */
export function isUnrouted({ status }: Exchange): boolean {
  return status === 404 || status === 405
}

/** Maximum number of characters that are formatted. A finding shows far less. */
const maximumLength = 1_000

/** Returns the status, the target of a redirect and the body. */
export function describeResponse({ status, headers, text }: Exchange): string {
  const location = headers.get('location')
  const target = location === undefined ? '' : ` to ${location}`
  return `status ${status}${target}${text === '' ? '' : ` with ${text.slice(0, maximumLength)}`}`
}

/** Returns the method and path of a request. */
export function describeRequest({ method = 'GET', path }: CheckRequest): string {
  return `${method} ${path}`
}

/** Returns a string unchanged, and any other JSON value as JSON, with all digits. */
export function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : formatExactJson(value)
  return text.slice(0, maximumLength)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Returns a body that is an object, otherwise undefined. */
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

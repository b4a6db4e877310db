import { defaultCode, type ErrorBody, type ErrorCode } from '../../service/errors.js'
import { documentedErrors, type Operation } from '../../service/operations/operation.js'

/** An error response that a fault sends in place of the operation's response: the fields of `status`. */
export interface FaultResponse extends Omit<ErrorBody, 'code'> {
  /** Default: {@link toFaultCode}. */
  readonly code?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly retryAfterFormat?: 'seconds' | 'date' | undefined
  readonly body?: string | undefined
  readonly headers: readonly FaultHeader[]
}

export type FaultHeader = readonly [name: string, values: string | readonly string[]]

const gatewayCodes: Readonly<Record<number, string>> = {
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
}

/** Codes of requests that reach no operation, which an API may send at every path. */
const requestCodes: readonly ErrorCode[] = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_content_encoding',
  'headers_too_large',
]

/** Returns the default code of a fault, preferably one that the operation documents. */
export function toFaultCode(operation: Operation, status: number): string {
  const candidates = [...documentedErrors(operation), ...requestCodes]
  return defaultCode(status, candidates) ?? gatewayCodes[status] ?? 'simulated_fault'
}

/** Replaces headers (name, value, name, value) by the headers of a fault with the same name. */
export function replaceHeaders(
  headers: readonly string[],
  replacements: readonly FaultHeader[],
): readonly string[] {
  const replaced = new Set(replacements.map(([name]) => name.toLowerCase()))
  const isKept = (at: number) => !replaced.has(headers[at - (at % 2)]?.toLowerCase() ?? '')
  const added = replacements.flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  )
  return [...headers.filter((_, at) => isKept(at)), ...added]
}

/**
 * Returns the seconds of the `Retry-After` that a fault states among its headers, for reports: NaN if
 * the value is invalid, undefined if it states none.
 */
export function readRetryAfter(headers: readonly FaultHeader[], nowMs: number): number | undefined {
  const stated = headers.find(([name]) => name.toLowerCase() === 'retry-after')
  if (!stated) return undefined
  const value = String(stated[1])
  if (/^\d+$/.test(value)) return Number(value)
  return Math.max(0, Math.ceil((Date.parse(value) - nowMs) / 1_000))
}

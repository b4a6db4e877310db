import { defaultCode, type ErrorCode } from '../../service/errors.js'
import { documentedErrors, type Operation } from '../../service/operations/operation.js'
import type { FaultHeader } from './kind.js'

const gatewayCodes: Readonly<Record<number, string>> = {
  502: 'bad_gateway',
  504: 'gateway_timeout',
}
const otherCode = 'simulated_fault'

/** The default codes of faults beyond the error catalogue. */
export const faultCodes: readonly string[] = [...Object.values(gatewayCodes), otherCode]

/** Codes that an API may send at every path, for requests that reach no operation. */
const requestCodes: readonly ErrorCode[] = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_content_encoding',
  'headers_too_large',
  'service_unavailable',
]

/** Returns the default code of a fault, preferably one that the operation documents. */
export function toFaultCode(operation: Operation, status: number): string {
  const candidates = [...documentedErrors(operation), ...requestCodes]
  return defaultCode(status, candidates) ?? gatewayCodes[status] ?? otherCode
}

/**
 * Returns the seconds of the header `Retry-After` of a fault, for reports: NaN if the value is invalid,
 * undefined if there is none.
 */
export function readRetryAfter(headers: readonly FaultHeader[], nowMs: number): number | undefined {
  const stated = headers.find(([name]) => name.toLowerCase() === 'retry-after')
  if (!stated) return undefined
  const value = String(stated[1])
  if (/^\d+$/.test(value)) return Number(value)
  return Math.max(0, Math.ceil((Date.parse(value) - nowMs) / 1_000))
}

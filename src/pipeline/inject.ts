import {
  allErrorCodes,
  type ErrorBody,
  type ErrorCode,
  errorCodes,
  Problem,
} from '../contract/errors.js'
import { documentedErrors, type Operation } from '../operations/operation.js'
import type { OperationId } from '../operations/operations.js'
import { toKind } from '../world/faults/faults.js'
import type { FaultResponse } from '../world/faults/kind.js'
import { ConnectionReset, ErrorResponse, type Exchange } from './exchange.js'
import { readPreference } from './preference.js'

/** The delay and the error that preferences and faults inject into a request. */
export interface Injection {
  /** Delay in milliseconds. */
  readonly waitMs: number
  /** The error that ends the request after the delay, in place of the operation. */
  readonly end?: Problem | ErrorResponse | ConnectionReset
}

/** Returns the statuses that an operation documents, in ascending order. */
export function documentedStatuses(operation: Operation): readonly number[] {
  const errors = documentedErrors(operation).map((code) => errorCodes[code].status)
  const { status = 200 } = operation.response
  return [...new Set<number>([status, ...errors])].sort((a, b) => a - b)
}

/**
 * Applies the preferences of the client; if they name no status, the faults of the world.
 *
 * @throws {Problem} invalid_parameter for a preference that the operation does not offer.
 */
export function inject(exchange: Exchange, id: OperationId, operation: Operation): Injection {
  const header = exchange.request.header('prefer')
  const preference = header && readPreference(header, documentedStatuses(operation))
  if (!preference) return applyFaults(exchange, id)

  const { applied, code, waitMs } = preference
  exchange.preferenceApplied = applied
  if (applied !== '') exchange.explain(`preference: ${applied}`)
  if (code === undefined) {
    const injection = applyFaults(exchange, id)
    return { ...injection, waitMs: waitMs + injection.waitMs }
  }
  exchange.preferredStatus = code
  if (code < 400) return { waitMs }
  if (code === 429) simulateExhaustion(exchange)
  const message = `requested by Prefer: code=${code}`
  return { waitMs, end: new Problem(defaultCode(code, documentedErrors(operation)), message) }
}

/**
 * Returns the default code of an error status: the first candidate with this status. For 401 it is
 * `invalid_api_key`, because a request without a key was rejected before.
 */
function defaultCode(status: number, candidates: readonly ErrorCode[]): ErrorCode {
  const codes = candidates.filter((code) => errorCodes[code].status === status)
  return codes.find((code) => code === 'invalid_api_key') ?? codes[0] ?? 'internal_error'
}

/** Sets the headers of a simulated 429 as if a window were exhausted (spec §8). */
function simulateExhaustion(exchange: Exchange): void {
  const { holder, world } = exchange
  if (!holder) return
  const now = world.clock.now()
  const { limit, resetsAtMs } = world.quota.account(holder.accountId).peek(now)
  exchange.rateLimit = { limit, remaining: 0, resetsAtMs }
  exchange.retryAfterSeconds = Math.max(1, Math.ceil((resetsAtMs - now) / 1000))
}

/** Applies the faults of the world, in their order. */
function applyFaults(exchange: Exchange, id: OperationId): Injection {
  let waitMs = 0
  for (const fault of exchange.world.faults.take(id)) {
    const kind = toKind(fault)
    exchange.explain(`fault: ${kind.summarize(fault)}`)
    waitMs += kind.delayMs?.(fault) ?? 0
    if (kind.truncate) exchange.truncate = (body) => kind.truncate?.(fault, body) ?? body
    const response = kind.respond?.(fault)
    if (response === 'reset') return { waitMs, end: new ConnectionReset() }
    if (response) return { waitMs, end: toErrorResponse(exchange, response) }
  }
  return { waitMs }
}

function toErrorResponse(exchange: Exchange, response: FaultResponse): ErrorResponse {
  const { status, message, code, retryAfterSeconds } = response
  if (status === 429) simulateExhaustion(exchange)
  exchange.retryAfterSeconds = retryAfterSeconds ?? exchange.retryAfterSeconds
  const body: ErrorBody = { code: code ?? toFaultCode(status), message, status }
  return new ErrorResponse(body)
}

const gatewayCodes: Readonly<Record<number, string>> = {
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
}

/** Returns the default code of a fault with this status. */
function toFaultCode(status: number): string {
  const isKnown = allErrorCodes.some((code) => errorCodes[code].status === status)
  return gatewayCodes[status] ?? (isKnown ? defaultCode(status, allErrorCodes) : 'simulated_fault')
}

import { type ErrorCode, errorCodes, Problem } from '../contract/errors.js'
import type { OperationContract, OperationId } from '../contract/operations.js'
import { describeEffect } from '../world/faults/describe.js'
import type { Fault } from '../world/faults/faults.js'
import type { Exchange } from './exchange.js'
import { readPreference } from './preference.js'
import { ConnectionReset, Refusal } from './refusal.js'

/** What comes between a call and its operation. */
export interface Injection {
  /** How long the call waits, in milliseconds. */
  readonly waitMs: number
  /** What answers after the wait in place of the operation. */
  readonly end?: Problem | Refusal | ConnectionReset
}

/** The statuses that an operation documents, in order. */
export function documentedStatuses(contract: OperationContract): readonly number[] {
  const errors = contract.errors.map((code) => errorCodes[code].status)
  return [...new Set<number>([contract.success, ...errors])].sort((a, b) => a - b)
}

/**
 * What the caller prefers; where it asks for no status, what the world's faults do.
 *
 * @throws {Problem} invalid_parameter for a preference that the operation does not offer.
 */
export function inject(
  exchange: Exchange,
  operation: OperationId,
  contract: OperationContract,
): Injection {
  const header = exchange.call.header('prefer')
  const preference = header && readPreference(header, documentedStatuses(contract))
  if (!preference) return strike(exchange, operation)

  const { applied, code, waitMs } = preference
  exchange.preferenceApplied = applied
  if (applied !== '') exchange.explain(`preference: ${applied}`)
  if (code === undefined) {
    const struck = strike(exchange, operation)
    return { ...struck, waitMs: waitMs + struck.waitMs }
  }
  exchange.preferredStatus = code
  if (code < 400) return { waitMs }
  return { waitMs, end: toPreferredProblem(exchange, code, contract) }
}

function toPreferredProblem(
  exchange: Exchange,
  status: number,
  contract: OperationContract,
): Problem {
  const codes = contract.errors.filter((code) => errorCodes[code].status === status)
  // The call has a key: of the codes for 401, only one can be meant.
  const code = codes.find((one) => one === 'invalid_api_key') ?? codes[0] ?? 'internal_error'
  if (status === 429) showUsedUp(exchange)
  return new Problem(code, `asked for by Prefer: code=${status}`)
}

/** A 429 that no window caused shows its headers all the same (spec §8): as if one were used up. */
function showUsedUp(exchange: Exchange): void {
  if (!exchange.holder) return
  const now = exchange.world.clock.now()
  const { limit, resetsAtMs } = exchange.holder.account().peek(now)
  exchange.rateLimit = { limit, remaining: 0, resetsAtMs }
  exchange.retryAfterSeconds = Math.max(1, Math.ceil((resetsAtMs - now) / 1000))
}

/** Lets the world's faults strike, in their order. */
function strike(exchange: Exchange, operation: OperationId): Injection {
  let waitMs = 0
  for (const fault of exchange.world.faults.strike(operation)) {
    exchange.explain(`fault: ${describeEffect(fault)}`)
    if (fault.type === 'delay') waitMs += fault.delayMs
    if (fault.type === 'truncate') exchange.truncatedShare = fault.share
    if (fault.type === 'reset') return { waitMs, end: new ConnectionReset() }
    if (fault.type === 'status') {
      if (fault.status === 429) showUsedUp(exchange)
      exchange.retryAfterSeconds = fault.retryAfterSeconds ?? exchange.retryAfterSeconds
      return { waitMs, end: toRefusal(fault) }
    }
  }
  return { waitMs }
}

function toRefusal(fault: Fault & { type: 'status' }): Refusal {
  const { status, message = 'a fault of the scenario' } = fault
  return new Refusal({ code: fault.code ?? toUsualCode(status), message, status })
}

/** The first code of the catalogue with the status. */
function toUsualCode(status: number): string {
  const codes = Object.keys(errorCodes) as ErrorCode[] // the keys of a const table
  const usual = { 502: 'bad_gateway', 503: 'service_unavailable', 504: 'gateway_timeout' }[status]
  return usual ?? codes.find((code) => errorCodes[code].status === status) ?? 'simulated_fault'
}

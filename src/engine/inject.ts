import { type ErrorCode, errorCodes, Problem } from '../service/errors.js'
import {
  commonErrors,
  documentedErrors,
  type Operation,
  preferableStatuses,
} from '../service/operations/operation.js'
import type { OperationId } from '../service/operations/operations.js'
import { longestDelaySeconds } from '../service/preferences.js'
import type { TakenFault } from '../world/faults/faults.js'
import type { FaultResponse } from '../world/faults/kind.js'
import type { FaultRequest } from '../world/faults/match.js'
import { describeEffect, toKind } from '../world/faults/schema.js'
import { ConnectionReset, ErrorResponse, type Exchange, type Injection } from './exchange.js'
import { readPreference } from './preference.js'
import { readJson, readParameters } from './read.js'

/**
 * Applies the preferences of the client; if they name no status, the faults of the world.
 *
 * @throws {Problem} invalid_parameter for a preference that is not accepted, with `handling=strict`.
 */
export function inject(exchange: Exchange, id: OperationId, operation: Operation): Injection {
  const injection = select(exchange, id, operation)
  const { waitMs, lateMs = 0 } = injection
  if (waitMs + lateMs <= longestDelayMs) return injection
  exchange.explanation.push(`the delays are limited to ${longestDelayMs} ms in all`)
  const limitedMs = Math.min(waitMs, longestDelayMs)
  return { ...injection, waitMs: limitedMs, lateMs: longestDelayMs - limitedMs }
}

const longestDelayMs = longestDelaySeconds * 1_000

function select(exchange: Exchange, id: OperationId, operation: Operation): Injection {
  const header = exchange.request.header('prefer')
  const preference = header && readPreference(header, preferableStatuses(operation))
  if (!preference) return applyFaults(exchange, id, operation)

  const { applied, notes, code, delayMs } = preference
  exchange.preferenceApplied = applied
  if (applied !== '') exchange.explanation.push(`preference: ${applied}`)
  for (const note of notes) exchange.explanation.push(note)
  if (code === undefined) {
    const injection = applyFaults(exchange, id, operation)
    return { ...injection, waitMs: delayMs + injection.waitMs }
  }
  exchange.preferredStatus = code
  if (code < 400) return { waitMs: delayMs }
  if (code === 429) simulateExhaustion(exchange)
  const candidates = [...documentedErrors(operation), ...commonErrors]
  const message = `requested by Prefer: code=${code}`
  return { waitMs: delayMs, end: new Problem(defaultCode(code, candidates), message) }
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
function applyFaults(exchange: Exchange, id: OperationId, operation: Operation): Injection {
  let waitMs = 0
  let lateMs = 0
  for (const taken of exchange.world.faults.take(id, toFaultRequest(exchange))) {
    explainFault(exchange, taken)
    const { effect, delayMs } = taken
    if (effect === 'pass') continue
    const isAfter = 'phase' in effect && effect.phase === 'after'
    if (isAfter) {
      lateMs += delayMs
      exchange.actsAfterwards = true
    } else waitMs += delayMs
    const kind = toKind(effect)
    if (kind.truncate) exchange.truncate = (body) => kind.truncate?.(effect, body) ?? body
    const response = kind.respond?.(effect)
    if (response === 'reset' && isAfter) exchange.losesResponse = true
    else if (response) return { waitMs, lateMs, end: toEnd(exchange, operation, response) }
  }
  return { waitMs, lateMs }
}

function explainFault(exchange: Exchange, { effect, delayMs, step }: TakenFault): void {
  const origin = step === undefined ? '' : ` (step ${step} of a sequence)`
  exchange.explanation.push(`fault: ${describeEffect(effect, delayMs)}${origin}`)
}

/** Returns the request as faults match it. */
function toFaultRequest({ request, route, body }: Exchange): FaultRequest {
  let json: { readonly value: unknown } | undefined
  return {
    get petId() {
      return attempt(() => route.params && readParameters(route.params).petId)
    },
    header: (name) => request.header(name),
    json() {
      json ??= { value: attempt(() => (body instanceof Uint8Array ? readJson(body) : undefined)) }
      return json.value
    },
  }
}

/** Calls a function; returns undefined if the request is invalid. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function toEnd(exchange: Exchange, operation: Operation, response: FaultResponse | 'reset') {
  if (response === 'reset') return new ConnectionReset()
  const { status, message, code = toFaultCode(operation, status), retryAfterSeconds } = response
  if (status === 429) simulateExhaustion(exchange)
  exchange.retryAfterSeconds = retryAfterSeconds ?? exchange.retryAfterSeconds
  return new ErrorResponse({ code, message, status })
}

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
function toFaultCode(operation: Operation, status: number): string {
  const candidates = [...documentedErrors(operation), ...requestCodes]
  if (candidates.some((code) => errorCodes[code].status === status)) {
    return defaultCode(status, candidates)
  }
  return gatewayCodes[status] ?? 'simulated_fault'
}

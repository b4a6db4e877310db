import { type ErrorCode, errorCodes, Problem } from '../service/errors.js'
import {
  commonErrors,
  documentedErrors,
  type Operation,
  preferableStatuses,
} from '../service/operations/operation.js'
import { longestDelaySeconds } from '../service/preferences.js'
import type { FaultResponse } from '../world/faults/kind.js'
import type { FaultRequest } from '../world/faults/match.js'
import { describeEffect, toKind } from '../world/faults/schema.js'
import type { Delay, Exchange, InjectedEnd, Injection } from './exchange.js'
import type { KeyHolder } from './keys.js'
import { readPreference } from './preference.js'
import { readJson, readParameters } from './read.js'
import type { ServiceEndpoint } from './route.js'

/**
 * Applies the preferences of the client; if they name no status, the faults of the world.
 *
 * @throws {Problem} invalid_parameter for a preference that is not accepted, with `handling=strict`;
 * sandbox_capacity, if too many requests wait.
 */
export function inject(exchange: Exchange, holder: KeyHolder, endpoint: ServiceEndpoint): void {
  const delays: Delays = { wait: { realMs: 0, worldMs: 0 }, late: { realMs: 0, worldMs: 0 } }
  const injection = select(exchange, holder, endpoint, delays)
  const [wait, waitMs] = limit(delays.wait, longestDelayMs)
  const [late, lateMs] = limit(delays.late, longestDelayMs - waitMs)
  const delayMs = waitMs + lateMs
  if (delayMs < sum(delays.wait) + sum(delays.late)) {
    exchange.explanation.push(`the delays are limited to ${longestDelayMs} ms in all`)
  }
  if (delayMs > 0) {
    // May throw: its error is not delayed.
    exchange.request.beginDelay?.()
    holder.world.onChange('requests')
  }
  if (waitMs > 0) injection.wait = wait
  if (lateMs > 0) injection.late = late
  exchange.injection = { ...injection, delayMs }
  exchange.isLate = lateMs > 0
}

/** The delays of several faults and of a preference, which add up. */
type Delays = Record<'wait' | 'late', { -readonly [Part in keyof Delay]: Delay[Part] }>

const sum = ({ realMs, worldMs }: Delay) => realMs + worldMs

/** Returns the start of a delay, and its length in milliseconds. */
function limit(delay: Delay, maximumMs: number): [Delay, number] {
  const realMs = Math.min(delay.realMs, maximumMs)
  const limited = { realMs, worldMs: Math.min(delay.worldMs, maximumMs - realMs) }
  return [limited, sum(limited)]
}

/** Calls a function once: after a delay, or when the client disconnects, and then synchronously. */
export function runAfter(
  delay: Delay | undefined,
  exchange: Exchange,
  run: () => void,
  fail: (error: unknown) => void,
): void {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) return
    controller.abort()
    run()
  }
  exchange.request.onAbort(end)
  if (delay) sleep(exchange, delay, controller.signal).then(end, fail)
  else end()
}

/** Resolves after a delay, when the world starts anew, and when the signal is aborted. */
async function sleep(
  { sandbox, holder }: Exchange,
  { realMs, worldMs }: Delay,
  signal: AbortSignal,
): Promise<void> {
  const { sleep } = sandbox.settings.platform
  if (realMs > 0) await sleep(realMs, signal)
  if (worldMs > 0) await holder?.world.clock.wait(worldMs, sleep, signal)
}

const longestDelayMs = longestDelaySeconds * 1_000

function select(
  exchange: Exchange,
  holder: KeyHolder,
  endpoint: ServiceEndpoint,
  delays: Delays,
): Injection {
  const { request, explanation } = exchange
  const operation = endpoint.definition
  const header = request.header('prefer')
  if (!header) return applyFaults(exchange, holder, endpoint, delays)
  const { applied, notes, code, delayMs } = readPreference(header, preferableStatuses(operation))
  if (applied !== '') explanation.push(`preference: ${applied}`)
  explanation.push(...notes)
  const faults = code === undefined ? applyFaults(exchange, holder, endpoint, delays) : {}
  const injection: Injection = { ...faults, preferenceApplied: applied }
  delays.wait.realMs += delayMs
  if (code === undefined) return injection
  injection.preferredStatus = code
  if (code < 400) return injection
  if (code === 429) simulateExhaustion(exchange, holder)
  const candidates = [...documentedErrors(operation), ...commonErrors]
  const error = defaultCode(code, candidates) ?? 'internal_error'
  const message = `requested by Prefer: code=${code}`
  injection.end = { error: { code: error, message, status: code } }
  return injection
}

/**
 * Returns the default code of an error status: the first candidate with this status. For 401 it is
 * `invalid_api_key`, because a request without a key was rejected before.
 */
function defaultCode(status: number, candidates: readonly ErrorCode[]): ErrorCode | undefined {
  const codes = candidates.filter((code) => errorCodes[code].status === status)
  return codes.find((code) => code === 'invalid_api_key') ?? codes[0]
}

/** Sets the headers of a simulated 429 as if a window were exhausted (spec §8). */
function simulateExhaustion(exchange: Exchange, { world, accountId }: KeyHolder): void {
  const now = world.clock.now()
  const { limit, resetsAtMs } = world.quota.account(accountId).peek(now)
  exchange.rateLimit = { limit, remaining: 0, resetsAtMs }
  exchange.retryAfterSeconds = Math.max(1, Math.ceil((resetsAtMs - now) / 1000))
}

/** Applies the faults of the world, in their order. */
function applyFaults(
  exchange: Exchange,
  holder: KeyHolder,
  endpoint: ServiceEndpoint,
  delays: Delays,
): Injection {
  const injection: Injection = {}
  const taken = holder.world.faults.take(endpoint.id, toFaultRequest(exchange))
  for (const { effect, delayMs, step } of taken) {
    const origin = step === undefined ? '' : ` (step ${step} of a sequence)`
    exchange.explanation.push(`fault: ${describeEffect(effect, delayMs)}${origin}`)
    if (effect === 'pass') continue
    const isAfter = 'phase' in effect && effect.phase === 'after'
    const isWorld = 'clock' in effect && effect.clock === 'world'
    delays[isAfter ? 'late' : 'wait'][isWorld ? 'worldMs' : 'realMs'] += delayMs
    if (isAfter) injection.isAfterwards = true
    const kind = toKind(effect)
    if (kind.truncate) injection.truncate = (body) => kind.truncate?.(effect, body) ?? body
    const response = kind.respond?.(effect)
    if (response === 'reset' && isAfter) injection.losesResponse = true
    else if (response === 'reset') injection.end = 'reset'
    else if (response) injection.end = toEnd(exchange, holder, endpoint, response)
  }
  return injection
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

function toEnd(
  exchange: Exchange,
  holder: KeyHolder,
  { definition }: ServiceEndpoint,
  response: FaultResponse,
): InjectedEnd {
  const { status, message, retryAfterSeconds, headers } = response
  const { code = toFaultCode(definition, status) } = response
  if (status === 429) simulateExhaustion(exchange, holder)
  exchange.retryAfterSeconds = retryAfterSeconds ?? exchange.retryAfterSeconds
  const stated = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')
  if (stated) exchange.retryAfterSeconds = readRetryAfter(String(stated[1]), holder.world.clock)
  return { error: { code, message, status }, fault: response }
}

/** Returns the seconds of a value of `Retry-After`, which reports need. Undefined if it is invalid. */
function readRetryAfter(value: string, clock: KeyHolder['world']['clock']): number | undefined {
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = Math.ceil((Date.parse(value) - clock.now()) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
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
  return defaultCode(status, candidates) ?? gatewayCodes[status] ?? 'simulated_fault'
}

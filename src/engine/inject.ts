import { defaultCode, Problem } from '../service/errors.js'
import {
  commonErrors,
  documentedErrors,
  preferableStatuses,
} from '../service/operations/operation.js'
import { decodePercent } from '../service/percent.js'
import { longestDelaySeconds } from '../service/preferences.js'
import type { FaultResponse } from '../world/faults/kind.js'
import type { FaultRequest } from '../world/faults/match.js'
import { readRetryAfter, toFaultCode } from '../world/faults/response.js'
import { toKind } from '../world/faults/schema.js'
import type { Delay, Exchange, InjectedEnd, Injection } from './exchange.js'
import type { KeyHolder } from './keys.js'
import { readJson } from './read.js'
import type { ServiceEndpoint } from './route.js'

/**
 * Applies the preferences of the client; if they name no status, the faults of the world.
 *
 * @throws {Problem} invalid_parameter for a preference that is not accepted, with `handling=strict`;
 * sandbox_capacity, if too many requests wait.
 */
export function inject(exchange: Exchange, holder: KeyHolder, endpoint: ServiceEndpoint): void {
  const injection: Injection = { delayMs: 0 }
  applyPreference(injection, exchange, holder, endpoint)
  if (injection.preferredStatus === undefined) applyFaults(injection, exchange, holder, endpoint)
  if (injection.delayMs > 0) {
    // May throw: its error is not delayed.
    exchange.request.beginDelay?.()
    holder.world.onChange('requests')
  }
  exchange.injection = injection
}

/** Adds to the delays of a request, which are limited together. */
function addDelay(
  injection: Injection,
  { explanation }: Exchange,
  part: 'wait' | 'late',
  clock: keyof Delay,
  ms: number,
): void {
  const limited = Math.min(ms, longestDelayMs - injection.delayMs)
  const note = `the delays are limited to ${longestDelayMs} ms in all`
  if (limited < ms && !explanation.includes(note)) explanation.push(note)
  if (limited === 0) return
  const before = injection[part] ?? noDelay
  injection[part] = { ...before, [clock]: before[clock] + limited }
  injection.delayMs += limited
}

/** Calls a function once: after a delay, or when the client disconnects, and then synchronously. */
export function runAfter<Result>(
  delay: Delay | undefined,
  exchange: Exchange,
  run: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = () => controller.abort()
    controller.signal.addEventListener('abort', () => resolve(run()))
    exchange.request.onAbort(end)
    sleep(exchange, delay, controller.signal).then(end, reject)
  })
}

/** Resolves after a delay, when the world starts anew, and when the signal is aborted. */
async function sleep(
  { sandbox, holder }: Exchange,
  { realMs, worldMs }: Delay = noDelay,
  signal: AbortSignal,
): Promise<void> {
  const { sleep } = sandbox.settings.platform
  if (realMs > 0) await sleep(realMs, signal)
  if (worldMs > 0) await holder?.world.clock.wait(worldMs, sleep, signal)
}

const noDelay: Delay = { realMs: 0, worldMs: 0 }
const longestDelayMs = longestDelaySeconds * 1_000

function applyPreference(
  injection: Injection,
  exchange: Exchange,
  holder: KeyHolder,
  { definition }: ServiceEndpoint,
): void {
  const { request, explanation } = exchange
  const header = request.header('prefer')
  if (!header) return
  const { applied, notes, code, delayMs } = readPreference(header, preferableStatuses(definition))
  if (applied !== '') explanation.push(`preference: ${applied}`)
  explanation.push(...notes)
  injection.preferenceApplied = applied
  injection.preferredStatus = code
  addDelay(injection, exchange, 'wait', 'realMs', delayMs)
  if (code === undefined || code < 400) return
  if (code === 429) simulateExhaustion(exchange, holder)
  const candidates = [...documentedErrors(definition), ...commonErrors]
  const error = defaultCode(code, candidates) ?? 'internal_error'
  const message = `requested by Prefer: code=${code}`
  injection.end = { error: { code: error, message, status: code } }
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
  injection: Injection,
  exchange: Exchange,
  holder: KeyHolder,
  endpoint: ServiceEndpoint,
): void {
  const late: [clock: keyof Delay, delayMs: number][] = []
  const taken = holder.world.faults.take(endpoint.id, toFaultRequest(exchange))
  for (const { effect, delayMs, description } of taken) {
    exchange.explanation.push(`fault: ${description}`)
    if (effect === 'pass') continue
    const isAfter = 'phase' in effect && effect.phase === 'after'
    const clock = 'clock' in effect && effect.clock === 'world' ? 'worldMs' : 'realMs'
    if (isAfter) late.push([clock, delayMs])
    else addDelay(injection, exchange, 'wait', clock, delayMs)
    if (isAfter) injection.isAfterwards = true
    const { truncate, respond } = toKind(effect)
    if (truncate) injection.truncate = (body) => truncate(effect, body)
    const response = respond?.(effect)
    if (response === 'reset' && isAfter) injection.losesResponse = true
    else if (response === 'reset') injection.end = 'reset'
    else if (response) injection.end = toEnd(exchange, holder, endpoint, response)
  }
  for (const [clock, delayMs] of late) addDelay(injection, exchange, 'late', clock, delayMs)
}

/** Returns the parts of the request that faults match. */
function toFaultRequest({ request, route, body }: Exchange): FaultRequest {
  const { petId } = route.params ?? {}
  let json: unknown
  return {
    petId: petId && decodePercent(petId),
    header: (name) => request.header(name),
    json() {
      if (json === undefined) json = body instanceof Uint8Array ? readJsonOrNull(body) : null
      return json
    },
  }
}

function readJsonOrNull(body: Uint8Array): unknown {
  try {
    return readJson(body)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function toEnd(
  exchange: Exchange,
  holder: KeyHolder,
  { definition }: ServiceEndpoint,
  fault: FaultResponse,
): InjectedEnd {
  const { status, message, code = toFaultCode(definition, status) } = fault
  if (status === 429) simulateExhaustion(exchange, holder)
  const stated = readRetryAfter(fault.headers, holder.world.clock.now())
  const seconds = stated ?? fault.retryAfterSeconds ?? exchange.retryAfterSeconds
  exchange.retryAfterSeconds = Number.isNaN(seconds) ? undefined : seconds
  return { error: { code, message, status }, fault }
}

/** The preferences of a `Prefer` header (RFC 7240). */
export interface Preference {
  /** A status that the operation documents. */
  readonly code: number | undefined
  readonly delayMs: number
  /** The value of `Preference-Applied`; empty if nothing is applied. */
  readonly applied: string
  /** Why known preferences have no effect, one line each, without text of the client. */
  readonly notes: readonly string[]
}

/**
 * Reads a `Prefer` header: `code`, `delay` and `handling`. Ignores everything else, as RFC 7240,
 * section 2, requires. `wait` is an upper bound (section 4.3), so that it never delays.
 *
 * @param statuses The statuses that the operation documents.
 * @throws {Problem} invalid_parameter, if the client prefers `handling=strict` and another preference
 * or value is not accepted.
 */
export function readPreference(header: string, statuses: readonly number[]): Preference {
  const accepted = listAccepted(statuses)
  const { preferences, malformed } = parsePreferences(header)
  const usable = new Map<string, string>()
  const notes: string[] = []
  let unusable = malformed
  for (const [name, value] of preferences) {
    const known = accepted.get(name)
    if (known?.isUsable(value)) usable.set(name, value)
    else {
      unusable ??= value === '' ? name : `${name}=${value}`
      if (known) notes.push(`preference ignored: ${name} must be ${known.wanted}`)
    }
  }
  if (usable.has('wait')) notes.push('preference wait: an upper bound, which does not delay')
  const isStrict = usable.get('handling') === 'strict'
  if (isStrict && unusable !== undefined) throw createStrictProblem(accepted, unusable)
  const applied = [...usable].sort().filter(([name]) => name === 'code' || name === 'delay')
  if (isStrict) applied.push(['handling', 'strict'])
  const code = usable.get('code')
  return {
    code: code === undefined ? undefined : Number(code),
    delayMs: Number(usable.get('delay') ?? 0) * 1000,
    applied: applied.map(([name, value]) => `${name}=${value}`).join(', '),
    notes,
  }
}

/** Returns the accepted preferences by name, with their values for messages. */
function listAccepted(statuses: readonly number[]) {
  const isIn = (pattern: RegExp) => (value: string) => pattern.test(value)
  const isDelay = (value: string) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) <= longestDelaySeconds
  const codes = new RegExp(`^(${statuses.join('|')})$`)
  return new Map([
    ['code', { wanted: `one of ${statuses.join(', ')} at this operation`, isUsable: isIn(codes) }],
    ['delay', { wanted: `seconds from 0 to ${longestDelaySeconds}`, isUsable: isDelay }],
    ['wait', { wanted: 'whole seconds', isUsable: isIn(/^\d+$/) }],
    ['handling', { wanted: 'strict or lenient', isUsable: isIn(/^(strict|lenient)$/) }],
  ])
}

function createStrictProblem(accepted: ReturnType<typeof listAccepted>, found: string): Problem {
  const list = [...accepted].map(([name, { wanted }]) => `${name} (${wanted})`).join(', ')
  const shown = JSON.stringify(found.slice(0, 40))
  const message = `with handling=strict, Prefer accepts only ${list}, found ${shown}`
  return new Problem('invalid_parameter', message)
}

/** A list element: it has no comma outside of quotation marks. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
/** The preference of a list element: its part before the parameters. */
const beforeParameters = /^(?:[^";]|"(?:[^"\\]|\\.)*"?)*/
const preference =
  /^([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)")?)?$/

/**
 * Parses the list of preferences (RFC 7240, section 2) without their parameters. Returns the values by
 * lower-case name, empty for none, and the first element that does not follow the grammar. The first
 * of repeated preferences applies.
 */
function parsePreferences(header: string) {
  const preferences = new Map<string, string>()
  let malformed: string | undefined
  for (const [text] of header.matchAll(element)) {
    const [part = ''] = beforeParameters.exec(text) ?? []
    const [, name, value, quoted] = preference.exec(part.trim()) ?? []
    const key = name?.toLowerCase()
    if (key === undefined) {
      if (text.trim() !== '') malformed ??= text.trim()
    } else if (!preferences.has(key)) {
      preferences.set(key, value ?? quoted?.replace(/\\(.)/g, '$1') ?? '')
    }
  }
  return { preferences, malformed }
}

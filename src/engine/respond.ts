import { checkControl, rejectCrossOrigin } from '../control/access.js'
import { addresses } from '../service/addresses.js'
import { controlBodyBytes, serviceBodyBytes } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import { plans } from '../service/plans.js'
import { formatSecond } from '../service/timestamp.js'
import { takeOrder } from '../world/journal/journal.js'
import type { RateLimitWindow } from '../world/quota/account.js'
import { describeRejections } from '../world/quota/ban-risk.js'
import { beginPending, finishResponse, selectRetention } from './entry.js'
import {
  type ApiRequest,
  type ApiResponse,
  type Delay,
  type Exchange,
  RequestAborted,
} from './exchange.js'
import { inject, runAfter } from './inject.js'
import { checkListed, type KeyHolder } from './keys.js'
import { readBody, readParameters } from './read.js'
import {
  isUnavailable,
  toErrorResponse,
  toInjectedResponse,
  toPreflightResponse,
  toResponse,
  worldOf,
} from './response.js'
import {
  type ControlEndpoint,
  type Route,
  type ServiceEndpoint,
  serviceRouter,
  toRouteProblem,
} from './route.js'
import type { Sandbox } from './sandbox.js'

/**
 * Responds to a request of the service or the control API. Never rejects.
 *
 * @param observer Receives the time until the response was ready.
 */
export async function respond(
  request: ApiRequest,
  sandbox: Sandbox,
  observer?: { countRequest(method: string, route: Route, status: number, seconds: number): void },
): Promise<ApiResponse> {
  const { monotonic } = sandbox.settings.platform
  const startedAt = monotonic()
  const route = await findRoute(request)
  const exchange = createExchange(request, route, sandbox, startedAt)
  const { endpoint } = route
  let response: ApiResponse
  try {
    if (!endpoint) response = await respondUnrouted(exchange)
    else if (endpoint.type === 'service') response = await serve(exchange, endpoint)
    else response = await control(exchange, endpoint)
  } catch (error) {
    response = await reject(exchange, error)
  }
  endExchange(exchange)
  const seconds = (monotonic() - startedAt) / 1_000
  observer?.countRequest(request.method, route, response.status, seconds)
  return response
}

/** Finds the operation of a request. Loads the control operations, which few pages use. */
export async function findRoute({ address, method, path }: ApiRequest): Promise<Route> {
  if (addresses[address].api === 'service') return serviceRouter.route(address, method, path)
  const loaded = await import('./control.js')
  return loaded.controlRouter.route(address, method, path)
}

export function createExchange(
  request: ApiRequest,
  route: Route,
  sandbox: Sandbox,
  startedAt: number,
): Exchange {
  const { api, environment } = addresses[request.address]
  const isService = api === 'service'
  return {
    request,
    route,
    sandbox,
    isService,
    bodyLimit: isService ? serviceBodyBytes : controlBodyBytes,
    environment,
    startedAt,
    order: request.order ?? takeOrder(),
    explanation: [],
    injection: noInjection,
    changes: [],
  }
}

const noInjection = { delayMs: 0 }

/** Called when the response is ready. */
export function endExchange(exchange: Exchange): void {
  const { holder, pending } = exchange
  if (holder) holder.world.requestsInProgress -= 1
  if (pending) worldOf(exchange).journal.pending.delete(pending)
}

/**
 * Responds to a request of the service: finds the key (401), receives the body, charges both windows
 * (429), applies preferences and faults, reads parameters and body (400), and runs the operation (404).
 * The world changes only in synchronous steps, so that no update is lost; delays are between steps.
 */
async function serve(exchange: Exchange, endpoint: ServiceEndpoint): Promise<ApiResponse> {
  const holder = await identify(exchange)
  await receiveBody(exchange)
  const early = await execute(exchange, (attempt) => {
    charge(attempt, holder)
    const hasPreference = attempt.request.header('prefer') !== undefined
    if (hasPreference || holder.world.faults.size > 0) inject(attempt, holder, endpoint)
    return attempt.injection.wait ? undefined : run(attempt, holder, endpoint)
  })
  const { wait, late } = exchange.injection
  const response =
    early ?? (await executeAfter(exchange, wait, (attempt) => run(attempt, holder, endpoint)))
  if (!late || exchange.isAborted) return response
  const respondLate = (attempt: Exchange) => {
    if (attempt.request.isAborted) throw new RequestAborted()
    return response
  }
  return executeAfter(exchange, late, respondLate, true)
}

/**
 * Responds to a request of the control API. It is not charged and not in the journal, and no fault or
 * ban affects it.
 */
async function control(exchange: Exchange, endpoint: ControlEndpoint): Promise<ApiResponse> {
  const { request, sandbox } = exchange
  rejectCrossOrigin(request)
  request.client?.chargeControlRequest()
  const holder = await identify(exchange)
  checkControl(sandbox.access, request, endpoint.definition, holder)
  await receiveBody(exchange)
  const loaded = await import('./control.js')
  return loaded.runControl(exchange, holder, endpoint.definition, (step) => runStep(exchange, step))
}

/** Responds if no operation matched. Charges nothing and requires no key (A18). */
async function respondUnrouted(exchange: Exchange): Promise<ApiResponse> {
  const { request, route, isService } = exchange
  const isPreflight = isService && request.header('access-control-request-method') !== undefined
  if (request.method === 'OPTIONS' && (route.allow.length > 0 || isPreflight)) {
    return toPreflightResponse(exchange)
  }
  const problem = toRouteProblem(request.address, request.method, request.path, route.allow)
  if (!isService) throw problem
  try {
    // A valid key is still looked up, so that the journal of its world shows the request.
    await identify(exchange)
    await receiveBody(exchange)
  } catch (error) {
    if (error instanceof RequestAborted || isUnavailable(error)) throw error
  }
  throw problem
}

/**
 * Finds the holder of the key (spec §5).
 *
 * @throws {Problem} missing_api_key, invalid_api_key or sandbox_capacity, as a rejection.
 */
export async function identify(exchange: Exchange): Promise<KeyHolder> {
  const { request, sandbox, environment } = exchange
  const header = request.header('authorization') ?? ''
  const holder = await sandbox.keys.identify(header, environment, request.client)
  exchange.holder = holder
  exchange.explanation.push(holder.description)
  // Its world is not evicted until the request ends.
  holder.world.requestsInProgress += 1
  return holder
}

/** Receives the body. Called after the key was verified: other uploads are not read. */
async function receiveBody(exchange: Exchange): Promise<void> {
  const receiving = exchange.request.readBody(exchange.bodyLimit)
  if (!receiving) return
  beginPending(exchange)
  exchange.body = await receiving
}

/**
 * Charges the request to both windows of its key (spec §8). A rejected request is not charged.
 *
 * @throws {Problem} invalid_api_key, rate_limit_exceeded or api_key_banned.
 */
function charge(exchange: Exchange, holder: KeyHolder): void {
  const { explanation } = exchange
  const { world, accountId, plan } = holder
  const now = world.clock.now()
  if (accountId !== plan) checkListed(holder)
  const account = world.quota.account(accountId)
  const { rejection, limit, remaining, resetsAtMs, retryAtMs, window: name } = account.charge(now)
  const window = account[name]
  exchange.chargedAtMs = now
  exchange.rateLimit = { limit, remaining, resetsAtMs }
  if (rejection === undefined) {
    explanation.push(describeWindow(window, window.used))
    return
  }
  exchange.retryAfterSeconds = Math.max(1, Math.ceil((retryAtMs - now) / 1000))
  const wait = `retry after ${exchange.retryAfterSeconds} seconds`
  if (rejection === 'api_key_banned') {
    const until = formatSecond(account.bannedUntilMs(now) ?? now)
    explanation.push(`ban: the key is banned until ${until}`)
    throw new Problem(rejection, `the API key is banned until ${until}; ${wait}`)
  }
  explanation.push(describeWindow(window, limit + 1))
  explanation.push(describeRejections(window.rejected, account.banRule))
  const quota = `${limit} requests per ${window.name} of plan ${plans[plan].title}`
  throw new Problem(rejection, `the limit of ${quota} is used up; ${wait}`)
}

function describeWindow(window: RateLimitWindow, count: number): string {
  const isTeen = Math.floor((count % 100) / 10) === 1
  const suffix = (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10]) ?? 'th'
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [window.name, 'window:', `${count}${suffix}`, window.describeLimit()].join(' ')
}

/** Ends a request with the injected error, or reads it and runs its operation. */
function run(
  exchange: Exchange,
  { world }: KeyHolder,
  { id, definition }: ServiceEndpoint,
): ApiResponse {
  const { request, route, injection, explanation } = exchange
  if (request.isAborted) throw new RequestAborted()
  if (injection.end) return toInjectedResponse(exchange, injection.end)
  const params = route.params && readParameters(route.params)
  const schema = definition.bodySchema?.(world)
  const body = schema && readBody(exchange, schema)
  const result = definition.run({ world, params: params ?? {}, body })
  const { status: own = definition.response.status ?? 200, changes = [] } = result
  const status = injection.preferredStatus ?? own
  if (changes.length > 0) {
    world.apply(...changes)
    // With a store, the request is reported in a later turn.
    world.onChange('requests')
  }
  exchange.changes = changes
  explanation.push(`${id} responds with ${status}`)
  if (injection.isAfterwards && changes.length > 0) {
    explanation.push('the change was applied before the fault')
  }
  return toResponse(exchange, status, result.body)
}

/**
 * Executes a step after a delay. If the client disconnects, executes it at once and synchronously, so
 * that the journal has the request before the client can look for it.
 */
function executeAfter(
  exchange: Exchange,
  delay: Delay | undefined,
  step: Step<ApiResponse>,
  isLast = false,
): Promise<ApiResponse> {
  beginPending(exchange)
  return runAfter(delay, exchange, () => execute(exchange, step, isLast))
}

/** A synchronous part of a request. With a store, each execution has its own copy of the exchange. */
type Step<Result> = (attempt: Exchange) => Result

/**
 * Executes a step of a request of the service. Converts its errors to responses. Finishes the response
 * with its entry in the journal, unless another step follows.
 *
 * @param isLast Whether no other step follows, also after an injected delay.
 */
export function execute<Result extends ApiResponse | undefined>(
  exchange: Exchange,
  step: Step<Result>,
  isLast = false,
): Promise<Result | ApiResponse> {
  return runStep(exchange, (attempt) => {
    let response: Result | ApiResponse
    try {
      response = step(attempt)
    } catch (error) {
      response = toErrorResponse(attempt, error)
    }
    const isFinal = isLast || !attempt.injection.late || attempt.isAborted
    return response && isFinal ? finishResponse(attempt, response) : response
  })
}

/**
 * Executes a step of a request on its world: at once without a store, and if the request is in no
 * journal. Otherwise resolves when the step is stored, and executes it again if another process has
 * changed the world meanwhile.
 *
 * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
 */
async function runStep<Result>(
  exchange: Exchange,
  step: Step<Result | Promise<Result>>,
): Promise<Result> {
  const { stored } = exchange.sandbox.worlds
  if (!stored || selectRetention(exchange) === 'none') return step(exchange)
  beginPending(exchange)
  const world = worldOf(exchange)
  let attempt = exchange
  const begin = () => {
    attempt = { ...exchange, explanation: [...exchange.explanation] }
    // The explanation of a control request is not recorded.
    if (exchange.isService && world.notices.length > 0) {
      attempt.explanation.push(...world.notices)
      world.whenStored(() => (world.notices = []))
    }
    return step(attempt)
  }
  try {
    return await stored.execute(world, begin, exchange.isService)
  } finally {
    Object.assign(exchange, attempt)
  }
}

/** Responds to an error. If the request is in a journal, adding its entry is a step of the world. */
async function reject(exchange: Exchange, error: unknown): Promise<ApiResponse> {
  if (!exchange.isService) return toErrorResponse(exchange, error)
  if (isUnavailable(error)) return rejectUnstored(exchange, error)
  const fail = () => {
    throw error
  }
  return execute(exchange, fail, true).catch((storeError: unknown) =>
    rejectUnstored(exchange, storeError),
  )
}

/** Responds to an error of the store. The request is in no journal. */
function rejectUnstored(exchange: Exchange, error: unknown): ApiResponse {
  exchange.isUnavailable = true
  // A later request receives the id of the entry that was not stored.
  exchange.requestId = undefined
  return finishResponse(exchange, toErrorResponse(exchange, error))
}

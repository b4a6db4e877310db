import { addresses } from '../service/addresses.js'
import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { requestIdHeader } from '../service/headers.js'
import { plans } from '../service/plans.js'
import { formatSecond } from '../service/timestamp.js'
import { describeValue } from '../service/validation/validate.js'
import type { RateLimitWindow } from '../world/quota/account.js'
import { describeRejections } from '../world/quota/ban-risk.js'
import { rejectCrossOrigin } from './access.js'
import { isRetained } from './entry.js'
import { Exchange } from './exchange.js'
import { inject } from './inject.js'
import type { KeyHolder } from './key-holder.js'
import { type ApiRequest, type ApiResponse, RequestAborted } from './message.js'
import { readBody, readParameters } from './read.js'
import { finish, isUnavailable, recordResponse, toErrorResponse, toHeaders } from './response.js'
import {
  type ControlEndpoint,
  type Route,
  type ServiceEndpoint,
  serviceRouter,
  toRouteProblem,
} from './route.js'
import type { Sandbox } from './sandbox.js'

const bearer = /^Bearer ([\x21-\x7e]+)$/
const scheme = /^(bearer|basic|digest|token|apikey)$/i

/** Receives a measurement of each request that it observes. */
export interface RequestObserver {
  /** @param seconds Time until the response was ready. */
  countRequest(method: string, route: Route, status: number, seconds: number): void
}

/** Responds to a request of the service or the control API. Never rejects. */
export async function respond(
  request: ApiRequest,
  sandbox: Sandbox,
  observer?: RequestObserver,
): Promise<ApiResponse> {
  const { monotonic } = sandbox.settings.platform
  const startedAt = monotonic()
  const route = await findRoute(request)
  const exchange = new Exchange(request, route, sandbox, startedAt)
  const { endpoint } = route
  let response: ApiResponse
  try {
    if (!endpoint) response = await respondUnrouted(exchange)
    else if (endpoint.type === 'control') response = await control(exchange, endpoint)
    else response = await serve(exchange, endpoint)
  } catch (error) {
    response = await reject(exchange, error)
  }
  exchange.end()
  const seconds = (monotonic() - startedAt) / 1_000
  observer?.countRequest(request.method, route, response.status, seconds)
  return response
}

/** Finds the operation of a request. Loads those of the control API, which few pages use. */
export async function findRoute({ address, method, path }: ApiRequest): Promise<Route> {
  if (addresses[address].api === 'service') return serviceRouter.route(address, method, path)
  const { controlRouter } = await import('./control.js')
  return controlRouter.route(address, method, path)
}

/**
 * Responds to a request of the service: finds the key (401), receives the body, charges both windows
 * (429), applies preferences and faults, reads parameters and body (400), and runs the operation
 * (404). What changes the world is one synchronous step, so that no update is lost; a delay lies
 * between two of them.
 */
async function serve(exchange: Exchange, endpoint: ServiceEndpoint): Promise<ApiResponse> {
  const holder = await authenticate(exchange)
  await receiveBody(exchange)
  const early = await execute(exchange, () => {
    charge(exchange, holder, endpoint)
    return exchange.injection.waitMs > 0 ? undefined : run(exchange, endpoint)
  })
  const { waitMs, lateMs = 0 } = exchange.injection
  const response = early ?? (await delay(exchange, waitMs, () => run(exchange, endpoint)))
  if (!exchange.isLate) return response
  return await delay(exchange, lateMs, () => deliver(exchange, response))
}

/**
 * Responds to a request of the control API. It is not charged and not recorded, and no fault or ban
 * affects it.
 */
async function control(exchange: Exchange, endpoint: ControlEndpoint): Promise<ApiResponse> {
  const { request, sandbox } = exchange
  rejectCrossOrigin(request)
  request.client?.chargeControlRequest()
  const holder = await authenticate(exchange)
  sandbox.access.checkControl(request, holder, endpoint.definition)
  await receiveBody(exchange)
  const { runControl } = await import('./control.js')
  return await runControl(exchange, holder, endpoint.definition, (step) => store(exchange, step))
}

/** Responds if no operation matched. Charges nothing and requires no key (A18). */
async function respondUnrouted(exchange: Exchange): Promise<ApiResponse> {
  const { request, route, isService } = exchange
  const isPreflight = isService && request.header('access-control-request-method') !== undefined
  if (request.method === 'OPTIONS' && (route.allow.length > 0 || isPreflight)) {
    const headers = toHeaders(exchange, 204, undefined)
    if (isService) headers.push(requestIdHeader, exchange.identifyRequest(0))
    return { status: 204, headers, body: undefined }
  }
  const problem = toRouteProblem(request, route.allow)
  if (!isService || request.header('authorization') === undefined) throw problem
  try {
    // A valid key is still looked up, so that the journal of its world shows the request.
    await authenticate(exchange)
    await receiveBody(exchange)
  } catch (error) {
    if (error instanceof RequestAborted || isUnavailable(error)) throw error
  }
  throw problem
}

/**
 * Authenticates the request (spec §5): reads the bearer token and finds the holder of the key.
 *
 * @throws {Problem} missing_api_key if the header is not `Bearer <API_KEY>`, or invalid_api_key, as a
 * rejection.
 */
export async function authenticate(exchange: Exchange): Promise<KeyHolder> {
  const { sandbox, environment, request } = exchange
  const header = request.header('authorization') ?? ''
  const [, apiKey] = bearer.exec(header) ?? []
  if (apiKey === undefined) throw createMissingKeyProblem(header)
  exchange.apiKey = apiKey
  const holder = await sandbox.keys.identify(apiKey, environment, request.client)
  exchange.holder = holder
  exchange.explanation.push(holder.description)
  // Its world is not evicted until the exchange ends.
  holder.world.pendingRequests += 1
  return holder
}

function createMissingKeyProblem(header: string): Problem {
  const wanted = 'the Authorization header must be "Bearer <API_KEY>"'
  if (header === '') return new Problem('missing_api_key', `${wanted}, found none`)
  // Masks the first word unless it is a known scheme, and omits the rest: both may be secret.
  const [word = ''] = header.split(' ', 1)
  const shown = scheme.test(word) ? word : maskApiKey(word)
  const found = `${describeValue(shown)} and ${header.length - word.length} more characters`
  return new Problem('missing_api_key', `${wanted} with one space, found ${found}`)
}

/** Receives the body, after the key has been verified: other uploads are not read. */
async function receiveBody(exchange: Exchange): Promise<void> {
  const receiving = exchange.request.readBody()
  if (!receiving) return
  exchange.beginPending()
  exchange.body = await receiving
}

/** Charges the request, and decides with preferences and faults what happens to it. */
function charge(exchange: Exchange, holder: KeyHolder, { id, definition }: ServiceEndpoint): void {
  const { request, world } = exchange
  chargeQuota(exchange, holder)
  if (request.header('prefer') === undefined && world.faults.size === 0) return
  const injection = inject(exchange, id, definition)
  const { waitMs, lateMs = 0, end } = injection
  const delayMs = waitMs + lateMs
  // May throw: its error is not delayed.
  if (delayMs > 0) request.beginDelay?.()
  exchange.injection = injection
  exchange.isSimulated = end !== undefined
  exchange.isLate = lateMs > 0
  exchange.delayMs = delayMs
  if (delayMs > 0) world.onChange('requests')
}

/** Ends a request with the injected error, or reads it and runs its operation. */
function run(exchange: Exchange, { id, definition }: ServiceEndpoint): ApiResponse {
  const { world, request, route, injection } = exchange
  if (request.isAborted) throw new RequestAborted()
  if (injection.end) throw injection.end
  const params = route.params && readParameters(route.params)
  const schema = definition.bodySchema?.(world)
  const body = schema && readBody(exchange, schema)
  const result = definition.run({ world, params: params ?? {}, body })
  const { status: own = definition.response.status ?? 200, changes = [] } = result
  const status = exchange.preferredStatus ?? own
  if (changes.length > 0) {
    world.apply(...changes)
    // With a store, the request is reported in a later turn.
    world.onChange('requests')
  }
  exchange.changes = changes
  exchange.explanation.push(`${id} responds with ${status}`)
  if (exchange.actsAfterwards && changes.length > 0) {
    exchange.explanation.push('the change was applied before the fault')
  }
  return finish(exchange, status, result.body)
}

/** Records a response that was delayed after the operation. */
function deliver(exchange: Exchange, response: ApiResponse): ApiResponse {
  if (exchange.request.isAborted) throw new RequestAborted()
  exchange.isLate = false
  return recordResponse(exchange, response)
}

/**
 * Executes a step after a delay. If the client disconnects, executes it at once and synchronously, so
 * that the journal has the request before the client can look for it.
 */
function delay(exchange: Exchange, delayMs: number, step: () => ApiResponse): Promise<ApiResponse> {
  exchange.beginPending()
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const end = () => {
      if (isWaiting) resolve(execute(exchange, step))
      isWaiting = false
    }
    exchange.request.onAbort(() => {
      end()
      controller.abort()
    })
    exchange.sandbox.settings.platform.sleep(delayMs, controller.signal).then(end, reject)
  })
}

/** Executes a step of a request of the service, and converts its errors to responses. */
async function execute<Result>(
  exchange: Exchange,
  step: () => Result,
): Promise<Result | ApiResponse> {
  const attempt = () => {
    try {
      return step()
    } catch (error) {
      return toErrorResponse(exchange, error)
    }
  }
  return exchange.sandbox.worlds.stored ? await store(exchange, attempt) : attempt()
}

/**
 * Executes a step of a request on its world: at once without a store. With one, resolves when the
 * step is stored, and executes it again if another process has changed the world meanwhile.
 *
 * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
 */
async function store<Result>(
  exchange: Exchange,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  const { world, isService, sandbox } = exchange
  if (!sandbox.worlds.stored) return step()
  exchange.beginPending()
  const restore = exchange.save()
  const run = () => {
    restore()
    if (world.notices.length > 0) explainNotices(exchange)
    return step()
  }
  return await sandbox.worlds.stored.execute(world, run, isService)
}

/** Adds what happened to the stored world to the explanation of the request, once. */
function explainNotices({ world, explanation }: Exchange): void {
  const { notices } = world
  explanation.push(...notices)
  world.whenStored(() => {
    world.notices = []
  })
}

/** Responds to an error. If a journal has the request, its entry is a step of the world. */
async function reject(exchange: Exchange, error: unknown): Promise<ApiResponse> {
  if (isUnavailable(error) || !exchange.isService || !isRetained(exchange)) {
    return toErrorResponse(exchange, error)
  }
  try {
    return await store(exchange, () => toErrorResponse(exchange, error))
  } catch (storeError) {
    return toErrorResponse(exchange, storeError)
  }
}

/**
 * Charges the request to both windows of its key (spec §8). A rejected request is not charged.
 *
 * @throws {Problem} rate_limit_exceeded or api_key_banned.
 */
function chargeQuota(exchange: Exchange, holder: KeyHolder): void {
  const now = holder.world.clock.now()
  exchange.arrivedAtMs = now
  const account = holder.world.quota.account(holder.accountId)
  const status = account.charge(now)
  const { rejection, limit, remaining, resetsAtMs, retryAtMs } = status
  const window = account[status.window]
  exchange.rateLimit = { limit, remaining, resetsAtMs }
  if (rejection === undefined) {
    exchange.explanation.push(describeWindow(window, window.used))
    return
  }

  exchange.retryAfterSeconds = Math.max(1, Math.ceil((retryAtMs - now) / 1000))
  const wait = `retry after ${exchange.retryAfterSeconds} seconds`
  if (rejection === 'api_key_banned') {
    const until = formatSecond(account.bannedUntilMs(now) ?? now)
    exchange.explanation.push(`ban: the key is banned until ${until}`)
    throw new Problem(rejection, `the API key is banned until ${until}; ${wait}`)
  }
  exchange.explanation.push(describeWindow(window, limit + 1))
  exchange.explanation.push(describeRejections(window.rejected, account.banRule))
  const plan = plans[holder.plan].title
  const quota = `${limit} requests per ${window.name} of plan ${plan}`
  throw new Problem(rejection, `the limit of ${quota} is used up; ${wait}`)
}

function describeWindow(window: RateLimitWindow, count: number): string {
  const isTeen = Math.floor((count % 100) / 10) === 1
  const suffix = (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][count % 10]) ?? 'th'
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [window.name, 'window:', `${count}${suffix}`, window.describeLimit()].join(' ')
}

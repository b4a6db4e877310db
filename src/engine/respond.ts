import { createInternalProblem, type ErrorBody, Problem } from '../service/errors.js'
import { requestIdHeader } from '../service/headers.js'
import { JsonText } from '../service/json-text.js'
import { authenticate } from './authenticate.js'
import { rejectCrossOrigin } from './cross-origin.js'
import { addEntry, isRetained, takeEntryId } from './entry.js'
import { ConnectionReset, ErrorResponse, Exchange } from './exchange.js'
import type { Host, KeyHolder } from './host.js'
import { inject } from './inject.js'
import { type ApiRequest, type ApiResponse, RequestAborted, throwIfAborted } from './message.js'
import { meter } from './meter.js'
import { readBody, readParameters } from './read.js'
import { type ControlEndpoint, type Route, type ServiceEndpoint, toRouteProblem } from './route.js'

/** Responds to a request of the service or the control API. Never rejects. */
export async function respond(request: ApiRequest, route: Route, host: Host): Promise<ApiResponse> {
  const exchange = new Exchange(request, route, host)
  const { endpoint } = route
  try {
    if (!endpoint) return await respondUnrouted(exchange)
    if (endpoint.type === 'control') return await control(exchange, endpoint)
    return await serve(exchange, endpoint)
  } catch (error) {
    return await reject(exchange, error)
  } finally {
    exchange.end()
  }
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
  const { request, host } = exchange
  rejectCrossOrigin(request)
  request.client?.chargeControlRequest()
  const holder = await authenticate(exchange)
  host.access.checkControl(request, holder, endpoint.definition)
  await receiveBody(exchange)
  return await endpoint.run(exchange, holder, (step) => executeOnWorld(exchange, step))
}

/** Responds if no operation matched. Charges nothing and requires no key (A18). */
async function respondUnrouted(exchange: Exchange): Promise<ApiResponse> {
  const { request, route, isService } = exchange
  const isPreflight = isService && request.header('access-control-request-method') !== undefined
  if (request.method === 'OPTIONS' && (route.allow.length > 0 || isPreflight)) {
    const headers = exchange.toHeaders(204, undefined)
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
  meter(exchange, holder)
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
  throwIfAborted(request)
  if (injection.end) throw injection.end
  const params = route.params && readParameters(route.params)
  const schema = definition.bodySchema?.(world)
  const body = schema && readBody(exchange, schema)
  const result = definition.run({ world, params: params ?? {}, body })
  const { status: own = definition.response.status ?? 200, changes = [] } = result
  const status = exchange.preferredStatus ?? own
  world.apply(...changes)
  // With a store, the request is reported in a later turn.
  if (changes.length > 0) world.onChange('requests')
  exchange.changes = changes
  exchange.explain(`${id} responds with ${status}`)
  if (exchange.actsAfterwards && changes.length > 0) {
    exchange.explain('the change was applied before the fault')
  }
  return finish(exchange, status, result.body)
}

/** Records a response that was delayed after the operation. */
function deliver(exchange: Exchange, response: ApiResponse): ApiResponse {
  throwIfAborted(exchange.request)
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
    exchange.host.sleep(delayMs, controller.signal).then(end, reject)
  })
}

/** Executes a step of a request of the service, and converts its errors to responses. */
function execute<Result>(exchange: Exchange, step: () => Result): Promise<Result | ApiResponse> {
  return executeOnWorld(exchange, () => {
    try {
      return step()
    } catch (error) {
      return toErrorResponse(exchange, error)
    }
  })
}

/**
 * Executes a step of a request on its world: at once without a store. With one, resolves when the
 * step is stored, and executes it again if another process has changed the world meanwhile.
 *
 * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
 */
async function executeOnWorld<Result>(
  exchange: Exchange,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  const { host, world, isService } = exchange
  if (host.storeKind === undefined) return step()
  exchange.beginPending()
  const restore = exchange.save()
  const run = () => {
    restore()
    if (world.notices.length > 0) explainNotices(exchange)
    return step()
  }
  return await host.execute(world, run, !isService)
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
    return await executeOnWorld(exchange, () => toErrorResponse(exchange, error))
  } catch (storeError) {
    return toErrorResponse(exchange, storeError)
  }
}

/** Whether an error is that the store cannot be reached. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'sandbox_unavailable'
}

/** Converts an error to a response. */
function toErrorResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof ConnectionReset) return recordResponse(exchange, noResponse)
  if (error instanceof RequestAborted) {
    exchange.isAborted = true
    exchange.isLate = false
    exchange.explain('aborted by the client before the response')
    return recordResponse(exchange, noResponse)
  }
  if (error instanceof ErrorResponse) return finishWithError(exchange, error.body)
  if (error instanceof Problem) {
    exchange.isUnrecorded = isUnavailable(error)
    exchange.retryAfterSeconds ??= error.retryAfterSeconds
    if (error.code === 'sandbox_capacity') exchange.host.reportRejection(error)
    return finishWithError(exchange, error.toBody())
  }
  exchange.host.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

/** Closes the connection. */
const noResponse: ApiResponse = {
  status: 0,
  headers: [],
  body: undefined,
  fault: { type: 'reset' },
}

function finishWithError(exchange: Exchange, body: ErrorBody): ApiResponse {
  exchange.explain(`rejected with ${body.status} ${body.code}: ${body.message}`)
  exchange.code = body.code
  return finish(exchange, body.status, JsonText.of(body))
}

/** Adds the headers to a response, applies a truncation and records the response. */
function finish(exchange: Exchange, status: number, body: JsonText | undefined): ApiResponse {
  if (exchange.losesResponse) return recordResponse(exchange, noResponse)
  const headers = exchange.toHeaders(status, body)
  const bytes = body && exchange.truncate?.(body.bytes)
  return recordResponse(exchange, {
    status,
    headers,
    body,
    ...(bytes && { fault: { type: 'truncate', bytes } }),
  })
}

/**
 * Records a response of the service, unless it is delayed: `deliver` then records it. Responses of the
 * control API are not recorded.
 */
function recordResponse(exchange: Exchange, response: ApiResponse): ApiResponse {
  if (!exchange.isService || exchange.isLate) return response
  const entryId = takeEntryId(exchange)
  const requestId = exchange.identifyRequest(entryId)
  const headers = [...response.headers, requestIdHeader, requestId]
  const identified = response.status === 0 ? response : { ...response, headers }
  addEntry(exchange, identified, entryId)
  return identified
}

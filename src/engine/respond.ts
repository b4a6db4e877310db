import { createInternalProblem, type ErrorBody, Problem } from '../service/errors.js'
import { requestIdHeader } from '../service/headers.js'
import { JsonText } from '../service/json-text.js'
import type { Operation } from '../service/operations/operation.js'
import type { OperationId } from '../service/operations/operations.js'
import { authenticate } from './authenticate.js'
import { rejectCrossOrigin } from './cross-origin.js'
import { ConnectionReset, ErrorResponse, Exchange } from './exchange.js'
import type { Host, KeyHolder } from './host.js'
import { type Injection, inject } from './inject.js'
import {
  type ApiRequest,
  type ApiResponse,
  chain,
  longBodyBytes,
  type Pending,
  RequestAborted,
  throwIfAborted,
} from './message.js'
import { meter } from './meter.js'
import { readBody, readParameters } from './read.js'
import { isRetained, record, takeEntryId } from './record.js'
import { type Route, toRouteProblem } from './route.js'

/**
 * Processes a request of the service: authenticate, receive, meter, inject, read, run, respond,
 * record. A request of the control API is authenticated, read and run only: it is not charged, not recorded,
 * and no fault or ban affects it.
 *
 * Never throws or rejects. Responds synchronously unless the request has to wait. Reading, running
 * and applying the changes are one synchronous step, so that no update is lost.
 */
export function respond(request: ApiRequest, route: Route, host: Host): Pending<ApiResponse> {
  const exchange = new Exchange(request, route, host)
  const action = () => {
    const { endpoint } = route
    if (!endpoint) return respondUnrouted(exchange)
    if (endpoint.type === 'control') {
      rejectCrossOrigin(request)
      request.client?.chargeControlRequest()
      const { definition } = endpoint
      const check = (holder: KeyHolder) => host.access.checkControl(request, holder, definition)
      const run = (holder: KeyHolder) =>
        endpoint.run(exchange, holder, (step) => execute(exchange, step))
      return receive(exchange, run, check)
    }
    const { id, definition } = endpoint
    return receive(exchange, (holder) => serve(exchange, holder, id, definition))
  }
  const reject = (error: unknown) => toErrorResponse(exchange, error)
  const answer = (error: unknown) =>
    isUnavailable(error) || !exchange.isService || !isRetained(exchange)
      ? reject(error)
      : execute(exchange, () => reject(error))
  return recover(action, (error) => recover(() => answer(error), reject))
}

/**
 * Executes a step of a request on its world. Without a store, the step is executed once and at once.
 */
function execute<Result>(exchange: Exchange, step: () => Pending<Result>): Pending<Result> {
  const { host, world, isService } = exchange
  if (host.storeKind === undefined) return step()
  const restore = exchange.save()
  const run = () => {
    restore()
    if (world.notices.length > 0) explainNotices(exchange)
    return step()
  }
  return host.execute(world, run, !isService)
}

/** Adds what happened to the stored world to the explanation of the request, once. */
function explainNotices({ world, explanation }: Exchange): void {
  const { notices } = world
  explanation.push(...notices)
  world.whenStored(() => {
    world.notices = []
  })
}

/**
 * Authenticates the request, and then reads its body: an upload without a valid key is not read.
 *
 * @param check Throws if the key may not send the request.
 */
function receive(
  exchange: Exchange,
  next: (holder: KeyHolder) => Pending<ApiResponse>,
  check: (holder: KeyHolder) => void = () => {},
): Pending<ApiResponse> {
  return chain(authenticate(exchange), (holder) => {
    check(holder)
    const response = chain(exchange.request.readBody(), (body) => {
      exchange.body = body
      return next(holder)
    })
    return response instanceof Promise ? hold(exchange, response) : response
  })
}

/** Prevents the eviction of a world until the response is ready. */
async function hold(exchange: Exchange, response: Promise<ApiResponse>): Promise<ApiResponse> {
  const { world } = exchange
  world.pendingRequests += 1
  exchange.beginPending()
  try {
    return await response
  } finally {
    world.pendingRequests -= 1
    exchange.endPending()
  }
}

function serve(
  exchange: Exchange,
  holder: KeyHolder,
  id: OperationId,
  operation: Operation,
): Pending<ApiResponse> {
  return proceed(exchange, () => begin(exchange, holder, id, operation))
}

/** A delay in the middle of a request. */
interface Pause {
  readonly waitMs: number
  /** Continues after the delay. */
  readonly resume: () => ApiResponse | Pause
}

/** Executes a step of a request, and those after its delays. */
function proceed(exchange: Exchange, step: () => ApiResponse | Pause): Pending<ApiResponse> {
  return chain(execute(exchange, step), (result) => {
    if ('status' in result) return result
    return wait(exchange, result.waitMs, () => proceed(exchange, result.resume))
  })
}

/** Charges the request, and ends it unless it has to wait. */
function begin(
  exchange: Exchange,
  holder: KeyHolder,
  id: OperationId,
  operation: Operation,
): ApiResponse | Pause {
  try {
    meter(exchange, holder)
    const { request, world } = exchange
    const isAffected = request.header('prefer') !== undefined || world.faults.size > 0
    const injection: Injection = isAffected ? inject(exchange, id, operation) : noInjection
    exchange.isSimulated = injection.end !== undefined
    if (injection.waitMs > 0 || injection.lateMs) {
      exchange.delayMs = injection.waitMs + (injection.lateMs ?? 0)
      request.lease?.reserve('delayed requests', delayedRequestBytes)
      world.onChange('requests')
    }
    const resume = () => end(exchange, id, operation, injection)
    return injection.waitMs > 0 ? { waitMs: injection.waitMs, resume } : resume()
  } catch (error) {
    return toErrorResponse(exchange, error)
  }
}

const noInjection: Injection = { waitMs: 0 }

/** Ends a request with the injected error, or runs the operation. The response can be late. */
function end(
  exchange: Exchange,
  id: OperationId,
  operation: Operation,
  injection: Injection,
): ApiResponse | Pause {
  const { lateMs = 0 } = injection
  if (lateMs === 0) return complete(exchange, id, operation, injection)
  exchange.isLate = true
  const response = complete(exchange, id, operation, injection)
  exchange.isLate = false
  if (exchange.isAborted) return recordResponse(exchange, response, undefined)
  return { waitMs: lateMs, resume: () => deliver(exchange, response) }
}

/** Records a response that was delayed after the operation. */
function deliver(exchange: Exchange, response: ApiResponse): ApiResponse {
  if (exchange.request.isAborted) return toErrorResponse(exchange, new RequestAborted())
  return recordResponse(exchange, response, exchange.code)
}

function complete(
  exchange: Exchange,
  id: OperationId,
  operation: Operation,
  injection: Injection,
): ApiResponse {
  try {
    throwIfAborted(exchange.request)
    if (injection.end) throw injection.end
    return run(exchange, id, operation)
  } catch (error) {
    return toErrorResponse(exchange, error)
  }
}

/** Memory of a delayed request with the longest headers, which Node retains twice, in bytes. */
const delayedRequestBytes = 40_960

/**
 * Waits, and then continues. If the client disconnects, continues at once and synchronously, so that
 * the journal has the request before the client can look for it.
 */
function wait(
  { request, host }: Exchange,
  waitMs: number,
  next: () => Pending<ApiResponse>,
): Promise<ApiResponse> {
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const end = () => {
      if (isWaiting) resolve(new Promise((settle) => settle(next())))
      isWaiting = false
    }
    host.sleep(waitMs, controller.signal).then(end, reject)
    request.onAbort(() => {
      controller.abort()
      end()
    })
  })
}

function run(exchange: Exchange, id: OperationId, operation: Operation): ApiResponse {
  const { world, request, route } = exchange
  const params = route.params && readParameters(route.params)
  const schema = operation.bodySchema?.(world)
  const body = schema && readBody(exchange, schema)
  const result = operation.run({ world, params: params ?? {}, body })
  const { status: own = operation.response.status ?? 200, changes = [] } = result
  const status = exchange.preferredStatus ?? own
  const bytes = result.body?.byteLength ?? 0
  if (bytes >= longBodyBytes) request.lease?.reserveUnsent(bytes)
  world.apply(...changes)
  // With a store, the request is reported in a later turn.
  if (changes.length > 0) world.onChange('requests')
  exchange.changes = changes
  exchange.explain(`${id} responds with ${status}`)
  if (exchange.actsAfterwards && changes.length > 0) exchange.explain(appliedLine)
  return finish(exchange, status, result.body)
}

/** Line of the explanation if a fault acts after the operation. */
const appliedLine = 'the change was applied before the fault'

/** Responds if no operation matched. Charges nothing and requires no key (A18). */
function respondUnrouted(exchange: Exchange): Pending<ApiResponse> {
  const { request, route, isService } = exchange
  const isPreflight = isService && request.header('access-control-request-method') !== undefined
  if (request.method === 'OPTIONS' && (route.allow.length > 0 || isPreflight)) {
    const headers = exchange.toHeaders(204, undefined)
    if (isService) headers.push(requestIdHeader, exchange.identifyRequest(0))
    return { status: 204, headers, body: undefined }
  }
  const problem = toRouteProblem(request, route.allow)
  if (!isService || request.header('authorization') === undefined) throw problem
  // A valid key is still looked up, so that the journal of its world shows the request.
  return recover(
    () => receive(exchange, () => throwError(problem)),
    (error) =>
      throwError(error instanceof RequestAborted || isUnavailable(error) ? error : problem),
  )
}

function throwError(error: unknown): never {
  throw error
}

/** Whether an error is that the store cannot be reached. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'sandbox_unavailable'
}

/** Runs an action, and converts an error or a rejection to a response. */
function recover(
  action: () => Pending<ApiResponse>,
  toResponse: (error: unknown) => Pending<ApiResponse>,
): Pending<ApiResponse> {
  try {
    const response = action()
    return response instanceof Promise ? response.catch(toResponse) : response
  } catch (error) {
    return toResponse(error)
  }
}

/** Converts an error to a response. */
function toErrorResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof ConnectionReset) return finishWithoutResponse(exchange)
  if (error instanceof RequestAborted) {
    exchange.isAborted = true
    exchange.explain('aborted by the client before the response')
    return finishWithoutResponse(exchange)
  }
  if (error instanceof ErrorResponse) return finishWithError(exchange, error.body)
  if (error instanceof Problem) {
    exchange.isUnrecorded = isUnavailable(error)
    exchange.retryAfterSeconds ??= error.retryAfterSeconds
    return finishWithError(exchange, error.toBody())
  }
  exchange.host.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

/** Closes the connection without a response. */
function finishWithoutResponse(exchange: Exchange): ApiResponse {
  return recordResponse(exchange, noResponse, undefined)
}

const noResponse: ApiResponse = {
  status: 0,
  headers: [],
  body: undefined,
  fault: { type: 'reset' },
}

function finishWithError(exchange: Exchange, body: ErrorBody): ApiResponse {
  exchange.explain(`rejected with ${body.status} ${body.code}: ${body.message}`)
  exchange.code = body.code
  return finish(exchange, body.status, JsonText.of(body), body.code)
}

/** Adds the headers to a response, applies a truncation and records the response. */
function finish(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
  code?: string,
): ApiResponse {
  if (exchange.losesResponse) return finishWithoutResponse(exchange)
  const headers = exchange.toHeaders(status, body, code)
  const bytes = body && exchange.truncate?.(body.bytes)
  const response = bytes
    ? { status, headers, body, fault: { type: 'truncate', bytes } as const }
    : { status, headers, body }
  return recordResponse(exchange, response, code)
}

/** Records a response of the service. Responses of the control API are not recorded. */
function recordResponse(
  exchange: Exchange,
  response: ApiResponse,
  code: string | undefined,
): ApiResponse {
  if (!exchange.isService || exchange.isLate) return response
  const entryId = takeEntryId(exchange)
  const requestId = exchange.identifyRequest(entryId)
  const headers = [...response.headers, requestIdHeader, requestId]
  const identified = response.status === 0 ? response : { ...response, headers }
  record(exchange, identified, code, entryId)
  return identified
}

import { createInternalProblem, type ErrorBody, Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { Operation } from '../operations/operation.js'
import type { OperationId } from '../operations/operations.js'
import { authenticate } from './authenticate.js'
import { rejectCrossOrigin, runControl } from './control.js'
import { ConnectionReset, ErrorResponse, Exchange } from './exchange.js'
import type { Host, KeyHolder } from './host.js'
import { type Injection, inject } from './inject.js'
import type { ApiRequest, ApiResponse } from './message.js'
import { meter } from './meter.js'
import { readBody, readParameters } from './read.js'
import { record } from './record.js'
import { type Route, toRouteProblem } from './route.js'

type Pending<T> = T | Promise<T>

/**
 * Processes a request of the service: authenticate, meter, inject, read, run, respond, record. A
 * request of the control API is authenticated, read and run only: it is not charged, not recorded,
 * and no fault or ban affects it.
 *
 * Never throws or rejects. Responds synchronously unless the request has to wait. Reading, running
 * and applying the changes are one synchronous step, so that no update is lost.
 */
export function respond(request: ApiRequest, route: Route, host: Host): Pending<ApiResponse> {
  const exchange = new Exchange(request, route, host)
  return recover(exchange, () => {
    const { endpoint } = route
    if (!endpoint) return respondUnrouted(exchange)
    if (endpoint.type === 'control') {
      rejectCrossOrigin(request)
      return then(authenticate(exchange), (holder) =>
        runControl(exchange, holder, endpoint.definition),
      )
    }
    const { id, definition } = endpoint
    return then(authenticate(exchange), (holder) => serve(exchange, holder, id, definition))
  })
}

function serve(
  exchange: Exchange,
  holder: KeyHolder,
  id: OperationId,
  operation: Operation,
): Pending<ApiResponse> {
  meter(exchange, holder)
  const { request, world } = exchange
  const isAffected = request.header('prefer') !== undefined || world.faults.size > 0
  const { waitMs, end }: Injection = isAffected ? inject(exchange, id, operation) : { waitMs: 0 }
  const proceed = () => {
    if (end) throw end
    return run(exchange, id, operation)
  }
  return waitMs === 0 ? proceed() : exchange.host.sleep(waitMs).then(proceed)
}

function run(exchange: Exchange, id: OperationId, operation: Operation): ApiResponse {
  const { world, request, route } = exchange
  const params = route.params && readParameters(route.params)
  const schema = operation.bodySchema?.(world)
  const body = schema && readBody(request, schema)
  const result = operation.run({ world, params: params ?? {}, body })
  const { status = operation.response.status ?? 200, changes = [] } = result
  for (const change of changes) world.apply(change)
  exchange.changes = changes
  exchange.explain(`${id} responds with ${status}`)
  return finish(exchange, status, result.body)
}

/** Responds if no operation matched. Charges nothing and requires no key (A18). */
function respondUnrouted(exchange: Exchange): Pending<ApiResponse> {
  const { request, route, isService } = exchange
  const isPreflight = isService && request.header('access-control-request-method') !== undefined
  if (request.method === 'OPTIONS' && (route.allow.length > 0 || isPreflight)) {
    return { status: 204, headers: exchange.toHeaders(204, undefined), body: undefined }
  }
  const end = () => toErrorResponse(exchange, toRouteProblem(request, route.allow))
  if (!isService || request.header('authorization') === undefined) return end()
  // A valid key is still looked up, so that the journal of its world shows the request.
  const holder = attempt(() => authenticate(exchange))
  return holder instanceof Promise ? holder.then(end, end) : end()
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function then<T, U>(value: Pending<T>, next: (value: T) => Pending<U>): Pending<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs an action and converts an error or a rejection to a response. */
function recover(exchange: Exchange, action: () => Pending<ApiResponse>): Pending<ApiResponse> {
  try {
    const response = action()
    if (!(response instanceof Promise)) return response
    return response.catch((error: unknown) => toErrorResponse(exchange, error))
  } catch (error) {
    return toErrorResponse(exchange, error)
  }
}

/** Converts an error to a response. */
function toErrorResponse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof ConnectionReset) {
    const fault = { type: 'reset' } as const
    return recordResponse(exchange, { status: 0, headers: [], body: undefined, fault }, undefined)
  }
  if (error instanceof ErrorResponse) return finishWithError(exchange, error.body)
  if (error instanceof Problem) {
    exchange.retryAfterSeconds ??= error.retryAfterSeconds
    return finishWithError(exchange, error.toBody())
  }
  exchange.host.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

function finishWithError(exchange: Exchange, body: ErrorBody): ApiResponse {
  exchange.explain(`rejected with ${body.status} ${body.code}: ${body.message}`)
  return finish(exchange, body.status, JsonText.of(body), body.code)
}

/** Adds the headers to a response, applies a truncation and records the response. */
function finish(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
  code?: string,
): ApiResponse {
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
  if (exchange.isService) record(exchange, response, code)
  return response
}

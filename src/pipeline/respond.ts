import { createInternalProblem, Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { OperationContract, OperationId } from '../contract/operations.js'
import { behaviours } from '../operations/behaviours.js'
import { authenticate } from './authenticate.js'
import { Exchange } from './exchange.js'
import { respondToOptions, toApiResponse } from './headers.js'
import type { Host, KeyHolder } from './host.js'
import { inject } from './inject.js'
import type { ApiRequest, ApiResponse } from './message.js'
import { meter } from './meter.js'
import { readBody, readParameters } from './read.js'
import { record } from './record.js'
import { ConnectionReset, Refusal } from './refusal.js'
import type { Route } from './route.js'
import { toRouteProblem } from './route-problem.js'

/**
 * The way of every call: authenticate, meter, prefer or fault, read, run, reply, record. It never
 * throws. It answers at once unless the call has to wait; reading, running and applying are always
 * one synchronous step, so that no update is lost.
 */
export function respond(
  call: ApiRequest,
  route: Route<OperationId>,
  host: Host,
): ApiResponse | Promise<ApiResponse> {
  const exchange = new Exchange(call, route, host)
  try {
    const { operation, contract } = exchange
    if (!operation || !contract) return answerUnrouted(exchange)
    const proceed = (holder: KeyHolder) => admitted(exchange, holder, operation, contract)
    const holder = authenticate(exchange)
    return holder instanceof Promise
      ? holder.then(proceed).catch((error) => refuse(exchange, error))
      : proceed(holder)
  } catch (error) {
    return refuse(exchange, error)
  }
}

function admitted(
  exchange: Exchange,
  holder: KeyHolder,
  operation: OperationId,
  contract: OperationContract,
): ApiResponse | Promise<ApiResponse> {
  meter(exchange, holder)
  const { waitMs, end } = inject(exchange, operation, contract)
  const goOn = () => {
    if (end) throw end
    return run(exchange, operation)
  }
  if (waitMs === 0) return goOn()
  const waited = exchange.host.sleep(waitMs).then(goOn)
  return waited.catch((error) => refuse(exchange, error))
}

function run(exchange: Exchange, operation: OperationId): ApiResponse {
  const { world, call, route } = exchange
  const behaviour = behaviours[operation]
  const params = readParameters(route.operation === undefined ? {} : route.params)
  const schema = behaviour.body?.(world)
  const body = schema && readBody(call, schema)
  const { status = 200, body: json, changes = [] } = behaviour.run({ world, params, body })
  for (const change of changes) world.apply(change)
  exchange.changes = changes
  exchange.explain(`${operation} answers ${status}`)
  return finish(exchange, status, json)
}

/** A path or method of no operation: nothing is charged and no key is needed (A18). */
function answerUnrouted(exchange: Exchange): ApiResponse | Promise<ApiResponse> {
  const { call, route } = exchange
  const allow = route.operation === undefined ? route.allow : []
  if (call.method === 'OPTIONS' && (allow.length > 0 || isPreflight(call))) {
    return respondToOptions(exchange)
  }
  const end = () => refuse(exchange, toRouteProblem(call, allow))
  if (call.header('authorization') === undefined) return end()
  // A valid key is looked up all the same, so that its own journal shows the call.
  const holder = attempt(() => authenticate(exchange))
  return holder instanceof Promise ? holder.then(end, end) : end()
}

/** Whether a browser asks if a page of another origin may send a request. */
function isPreflight(call: ApiRequest): boolean {
  return call.header('access-control-request-method') !== undefined
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** Turns whatever was thrown into an answer: the one place where an Error body is made. */
function refuse(exchange: Exchange, error: unknown): ApiResponse {
  if (error instanceof ConnectionReset) {
    const answer: ApiResponse = {
      status: 0,
      headers: [],
      body: undefined,
      fault: { type: 'reset' },
    }
    record(exchange, answer, undefined)
    return answer
  }
  if (error instanceof Problem) return finishWithError(exchange, error.toBody())
  if (error instanceof Refusal) return finishWithError(exchange, error.body)
  exchange.host.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

function finishWithError(exchange: Exchange, body: Refusal['body']): ApiResponse {
  exchange.explain(`refused with ${body.status} ${body.code}: ${body.message}`)
  return finish(exchange, body.status, JsonText.of(body), body.code)
}

function finish(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
  code?: string,
): ApiResponse {
  const answer = toApiResponse(exchange, status, body)
  record(exchange, answer, code)
  return answer
}

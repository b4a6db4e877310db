import { createInternalProblem, Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { OperationContract, OperationId } from '../contract/operations.js'
import { behaviours } from '../operations/behaviours.js'
import { authenticate } from './authenticate.js'
import type { Answer, Call } from './message.js'
import { Exchange } from './exchange.js'
import type { Host, KeyHolder } from './host.js'
import { interfere } from './inject.js'
import { meter } from './meter.js'
import { readBody, readParameters } from './read.js'
import { record } from './record.js'
import { ConnectionReset, Refusal } from './refusal.js'
import { reply, replyToOptions } from './headers.js'
import type { Route } from './route.js'
import { toRouteProblem } from './route-problem.js'

/**
 * The way of every call: authenticate, meter, prefer or fault, read, run, reply, record. It never
 * throws. It answers at once unless the call has to wait; reading, running and applying are always
 * one synchronous step, so that no update is lost.
 */
export function answerCall(
  call: Call,
  route: Route<OperationId>,
  host: Host,
): Answer | Promise<Answer> {
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
): Answer | Promise<Answer> {
  meter(exchange, holder)
  const { waitMs, end } = interfere(exchange, operation, contract)
  const goOn = () => {
    if (end) throw end
    return run(exchange, operation)
  }
  if (waitMs === 0) return goOn()
  const waited = exchange.host.sleep(waitMs).then(goOn)
  return waited.catch((error) => refuse(exchange, error))
}

function run(exchange: Exchange, operation: OperationId): Answer {
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
function answerUnrouted(exchange: Exchange): Answer | Promise<Answer> {
  const { call, route } = exchange
  const allow = route.operation === undefined ? route.allow : []
  if (call.method === 'OPTIONS' && (allow.length > 0 || isPreflight(call))) {
    return replyToOptions(exchange)
  }
  const end = () => refuse(exchange, toRouteProblem(call, allow))
  if (call.header('authorization') === undefined) return end()
  // A valid key is looked up all the same, so that its own journal shows the call.
  const holder = attempt(() => authenticate(exchange))
  return holder instanceof Promise ? holder.then(end, end) : end()
}

/** Whether a browser asks if a page of another origin may send a request. */
function isPreflight(call: Call): boolean {
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
function refuse(exchange: Exchange, error: unknown): Answer {
  if (error instanceof ConnectionReset) {
    const answer: Answer = { status: 0, headers: [], body: undefined, fault: { type: 'reset' } }
    record(exchange, answer, undefined)
    return answer
  }
  if (error instanceof Problem) return finishWithError(exchange, error.toBody())
  if (error instanceof Refusal) return finishWithError(exchange, error.body)
  exchange.host.reportError(error)
  return finishWithError(exchange, createInternalProblem().toBody())
}

function finishWithError(exchange: Exchange, body: Refusal['body']): Answer {
  exchange.explain(`refused with ${body.status} ${body.code}: ${body.message}`)
  return finish(exchange, body.status, JsonText.of(body), body.code)
}

function finish(
  exchange: Exchange,
  status: number,
  body: JsonText | undefined,
  code?: string,
): Answer {
  const answer = reply(exchange, status, body)
  record(exchange, answer, code)
  return answer
}

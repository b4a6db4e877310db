import * as z from 'zod/mini'
import type { EventStream } from '../control/event-feed.js'
import {
  type ControlOperation,
  type ControlRequest,
  controlAddresses,
  isStream,
} from '../control/operation.js'
import { controlLinks, controlOperationIds, controlOperations } from '../control/operations.js'
import { Problem } from '../service/errors.js'
import { JsonText } from '../service/json-text.js'
import type { BodyContract } from '../service/operations/operation.js'
import { describeMismatch, describeValue, validate } from '../service/validation/validate.js'
import { type ApiRequest, type ApiResponse, type Exchange, RequestAborted } from './exchange.js'
import { checkListed, type KeyHolder } from './keys.js'
import { readBody, readParameters } from './read.js'
import { toHeaders } from './response.js'
import { type ControlEndpoint, Router } from './route.js'

/** Finds control operations. */
export const controlRouter: Router<ControlEndpoint> = new Router()
for (const id of controlOperationIds) {
  const definition = controlOperations[id]
  controlRouter.add({ type: 'control', id, definition }, controlAddresses)
}

/**
 * Runs a control operation.
 *
 * @param execute Executes a step on the world of the key.
 */
export async function runControl(
  exchange: Exchange,
  holder: KeyHolder,
  operation: ControlOperation,
  execute: (step: () => Promise<ApiResponse>) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { request, route, sandbox } = exchange
  const { world, accountId, plan, maskedKey } = holder
  await request.client?.takeTurn()
  const params = readParameters(route.params ?? {})
  const query = readQuery(request, operation)
  const throwIfAborted = () => {
    if (request.isAborted) throw new RequestAborted()
  }
  const respond = async () => {
    const input: ControlRequest = {
      world,
      accountId,
      apiKey: maskedKey,
      sandbox,
      links: controlLinks,
      params,
      query,
      body: operation.request && readControlBody(exchange, operation.request),
      throwIfAborted,
    }
    return execute(async () => {
      // The client may have disconnected while the request waited for its turn.
      throwIfAborted()
      if (accountId !== plan) checkListed(holder)
      const result = operation.run(input)
      // Synchronous, so that the headers and the body show the same state of the world.
      const body = result instanceof Promise ? await result : result
      if (!isStream(operation)) return toResponse(exchange, operation, body)
      return toStreamResponse(exchange, endAtExpiry(body as EventStream, exchange, holder)) // by media type
    })
  }
  return operation.isPrepared && request.client ? request.client.prepare(respond) : respond()
}

function toResponse(exchange: Exchange, operation: ControlOperation, result: unknown): ApiResponse {
  const { status = 200, body: contract } = operation.response
  const body = contract && JsonText.of(result)
  return { status, headers: toHeaders(exchange, status, body), body }
}

/** Ends a stream instead of sending an event after the key has expired. */
function endAtExpiry(
  stream: EventStream,
  { sandbox }: Exchange,
  { expiresMs }: KeyHolder,
): EventStream {
  if (expiresMs === undefined) return stream
  const { platform } = sandbox.settings
  return (sink) => {
    let close = () => {}
    const send = (chunk: Uint8Array) => {
      if (platform.now() < expiresMs) return sink.send(chunk)
      close()
      sink.end()
    }
    close = stream({ send, end: () => sink.end() })
    return close
  }
}

function toStreamResponse(exchange: Exchange, stream: EventStream): ApiResponse {
  const { request } = exchange
  if (request.client && request.method !== 'HEAD') request.onSent?.(request.client.openStream())
  const headers = toHeaders(exchange, 200, undefined)
  // nginx would buffer the events.
  headers.push('Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no')
  return { status: 200, headers, body: undefined, stream }
}

function readControlBody(exchange: Exchange, { schema, isOptional }: BodyContract): unknown {
  if (isOptional && !exchange.body?.length) return z.parse(schema, {})
  return readBody(exchange, schema)
}

function readQuery(request: ApiRequest, operation: ControlOperation): unknown {
  const parameters = new URLSearchParams(request.query)
  const names = [...parameters.keys()]
  const repeated = names.find((name, at) => names.lastIndexOf(name) > at)
  if (repeated !== undefined) {
    const message = `the query parameter ${describeValue(repeated)} must occur once, found more`
    throw new Problem('invalid_parameter', message)
  }
  const result = validate(operation.query ?? noQuery, Object.fromEntries(parameters))
  if (result.ok) return result.value
  const reasons = result.mismatches.map((mismatch) => describeMismatch(mismatch))
  throw new Problem('invalid_parameter', reasons.join('; '))
}

const noQuery = z.strictObject({})

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
import { tokenHeader } from '../service/headers.js'
import { JsonText } from '../service/json-text.js'
import type { BodyContract } from '../service/operations/operation.js'
import { truncate } from '../service/validation/message.js'
import {
  describeMismatch,
  describeValue,
  readValue,
  validate,
} from '../service/validation/validate.js'
import { isShared, type TokenCheck } from './access.js'
import { type ApiRequest, type ApiResponse, type Exchange, RequestAborted } from './exchange.js'
import type { KeyHolder } from './keys.js'
import { readBody, readParameters } from './read.js'
import { toHeaders } from './response.js'
import { type ControlEndpoint, Router } from './route.js'

/** Finds control operations. */
export const controlRouter: Router<ControlEndpoint> = new Router()
for (const id of controlOperationIds) {
  const definition = controlOperations[id]
  controlRouter.add({ type: 'control', id, definition }, controlAddresses)
}

/** Methods that change nothing. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Rejects a state-changing request from a page of another origin, by the rules of Go's
 * CrossOriginProtection. Browsers send `Sec-Fetch-Site` or `Origin`; other clients send neither.
 *
 * @throws {Problem} cross_origin_denied
 */
export function rejectCrossOrigin(request: ApiRequest): void {
  if (safeMethods.includes(request.method)) return
  const site = request.header('sec-fetch-site') ?? ''
  const origin = request.header('origin') ?? ''
  if (site === 'same-origin' || site === 'none') return
  if (site === '' && (origin === '' || isHost(origin, request.header('host')))) return
  const from = truncate(origin || site)
  const message = `a page of another origin may not control a world, found a request from ${from}`
  throw new Problem('cross_origin_denied', message)
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Checks whether a control request is permitted.
 *
 * @throws {Problem} control_denied
 */
export function checkControl(
  { request, sandbox }: Exchange,
  { world, accountId, maskedKey }: KeyHolder,
  operation: ControlOperation,
): void {
  const { access } = sandbox
  const { signer, control, keyIssuing } = access.settings
  if (operation.permission === 'keys') {
    const off = 'this sandbox does not create keys; ask its operator for one'
    checkPermission(keyIssuing, request, off)
    return
  }
  checkPermission(control, request, 'this sandbox does not accept control requests')
  const { apiKeys } = world
  if (operation.method === 'GET' || !signer || Object.hasOwn(apiKeys, accountId)) return
  if (isShared(world)) {
    const message = `the world of the shared key ${maskedKey} can be read but not changed; ${access.howToGetKey} for a world of your own`
    throw new Problem('control_denied', message)
  }
  if (access.mayControl(accountId, apiKeys)) return
  const message = `the scenario of this world lists API keys, and only they control it; found ${maskedKey}`
  throw new Problem('control_denied', message)
}

/**
 * Rejects a request that is not permitted. The message does not contain the token.
 *
 * @throws {Problem} control_denied
 */
function checkPermission(
  permitted: 'open' | 'own' | 'off' | TokenCheck,
  request: ApiRequest,
  off: string,
): void {
  if (permitted === 'open' || permitted === 'own') return
  if (permitted === 'off') throw new Problem('control_denied', off)
  const token = request.header(tokenHeader.toLowerCase())
  if (token !== undefined && permitted(token)) return
  const found = token === undefined ? 'none' : 'another token'
  const message = `this control request must have the ${tokenHeader} header with the token of this sandbox, found ${found}`
  throw new Problem('control_denied', message)
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
  const { world, accountId, maskedKey } = holder
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
      const result = operation.run(input)
      // Without a promise, the headers and the body show the same moment of the world.
      return toResponse(exchange, operation, result instanceof Promise ? await result : result)
    })
  }
  return operation.isPrepared && request.client ? request.client.prepare(respond) : respond()
}

function toResponse(exchange: Exchange, operation: ControlOperation, result: unknown): ApiResponse {
  const { status = 200, body: contract } = operation.response
  if (isStream(operation)) return toStreamResponse(exchange, result as EventStream) // by media type
  if (!contract) return { status, headers: toHeaders(exchange, status, undefined), body: undefined }
  const body = JsonText.of(result)
  return { status, headers: toHeaders(exchange, status, body), body }
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
  const { body } = exchange
  const isAbsent = body === undefined || (body !== 'too-large' && body.byteLength === 0)
  if (isOptional && isAbsent) return readValue(schema, {}, 'the body')
  return readBody(exchange, schema)
}

function readQuery(request: ApiRequest, operation: ControlOperation): unknown {
  const parameters = [...new URLSearchParams(request.query)]
  const found = Object.fromEntries(parameters)
  const names = Object.keys(found)
  if (names.length < parameters.length) {
    const sent = parameters.map(([name]) => name)
    const repeated = names.find((name) => sent.indexOf(name) < sent.lastIndexOf(name)) ?? ''
    const message = `the query parameter ${describeValue(repeated)} must occur once, found more`
    throw new Problem('invalid_parameter', message)
  }
  const result = validate(operation.query ?? noQuery, found)
  if (result.ok) return result.value
  const reasons = result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the query'))
  throw new Problem('invalid_parameter', reasons.join('; '))
}

const noQuery = z.strictObject({})

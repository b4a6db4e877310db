import { z } from 'zod'
import { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import {
  type ControlOperation,
  type ControlRequest,
  type EventStream,
  isStream,
} from '../control/operation.js'
import { controlLinks } from '../control/operations.js'
import { truncate } from '../validation/message.js'
import { describeMismatch, describeValue, validate } from '../validation/validate.js'
import type { Exchange } from './exchange.js'
import type { KeyHolder } from './host.js'
import type { ApiRequest, ApiResponse } from './message.js'
import { readLargeBody, readParameters } from './read.js'

/** Runs a control operation. */
export async function runControl(
  exchange: Exchange,
  { world, accountId, maskedKey }: KeyHolder,
  operation: ControlOperation,
): Promise<ApiResponse> {
  const { request, route, host } = exchange
  const input: ControlRequest = {
    world,
    accountId,
    apiKey: maskedKey,
    host,
    links: controlLinks,
    params: readParameters(route.params ?? {}),
    query: readQuery(request, operation),
    body:
      operation.request && (await readLargeBody(request, operation.request.schema, host.slices)),
  }
  const result = await operation.run(input)
  if (!safeMethods.includes(operation.method)) host.onControl(world)
  const { status = 200, body: contract } = operation.response
  if (isStream(operation)) return toStreamResponse(exchange, result as EventStream) // by media type
  const body = contract && JsonText.of(checkResult(result, contract.schema))
  return { status, headers: exchange.toHeaders(status, body), body }
}

function toStreamResponse(exchange: Exchange, stream: EventStream): ApiResponse {
  const headers = exchange.toHeaders(200, undefined)
  headers.push('Content-Type', 'text/event-stream')
  return { status: 200, headers, body: undefined, stream }
}

/** Validates a response against its schema. An invalid one is a bug. */
function checkResult(result: unknown, schema: z.ZodType): unknown {
  const checked = validate(schema, result)
  if (checked.ok) return result
  const reasons = checked.mismatches.map((mismatch) => describeMismatch(mismatch, 'the response'))
  throw new Error(`a response is invalid: ${reasons.join('; ')}`)
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

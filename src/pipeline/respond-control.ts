import { z } from 'zod'
import { addresses } from '../contract/addresses.js'
import { maskApiKey } from '../contract/api-key.js'
import { createInternalProblem, type ErrorBody, Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import {
  type ControlOperation,
  type ControlRequest,
  controlAddresses,
  type EventStream,
} from '../control/control-operation.js'
import { type ControlOperationId, controlOperations } from '../control/operations.js'
import { describeMismatch, describeValue, validate } from '../validation/validate.js'
import { readApiKey } from './authenticate.js'
import type { Host } from './host.js'
import type { ApiRequest, ApiResponse } from './message.js'
import { readBody, readParameters } from './read.js'
import { type Routable, type Route, Router } from './route.js'

const router = new Router<ControlOperationId>(
  Object.fromEntries(
    Object.entries(controlOperations).map(([id, { method, path }]): [string, Routable] => [
      id,
      { method, path, addresses: controlAddresses },
    ]),
  ) as Record<ControlOperationId, Routable>, // the same keys as the table it is made from
)

/**
 * The way of a call that steers a world: authenticate, read, run, reply. It is never charged, and
 * no fault, ban or quota touches it. It never rejects.
 */
export async function respondToControl(call: ApiRequest, host: Host): Promise<ApiResponse> {
  const route = router.route(call.address, call.method, call.path)
  try {
    if (route.operation === undefined) return answerUnrouted(call, route.allow)
    return await run(call, host, route, controlOperations[route.operation])
  } catch (error) {
    if (error instanceof Problem) return replyWithError(error.toBody())
    host.reportError(error)
    return replyWithError(createInternalProblem().toBody())
  }
}

async function run(
  call: ApiRequest,
  host: Host,
  route: Route & { params: Readonly<Record<string, string>> },
  operation: ControlOperation,
): Promise<ApiResponse> {
  refuseOtherOrigins(call)
  const apiKey = readApiKey(call.header('authorization'))
  const { environment } = addresses[call.address]
  const { world, accountId } = await host.identify(apiKey, environment)
  const step: ControlRequest = {
    world,
    accountId,
    apiKey: maskApiKey(apiKey),
    host,
    params: readParameters(route.params),
    query: readQuery(call, operation),
    body: operation.body && readBody(call, operation.body),
  }
  const result = await operation.run(step)
  if (!safeMethods.includes(operation.method)) host.onControl(world)
  if (!operation.response) return replyWithStream(result as EventStream) // as its row promises
  return reply(operation.status ?? 200, JsonText.of(check(result, operation.response)))
}

/** What goes out is held against its schema as what comes in is. */
function check(result: unknown, schema: NonNullable<ControlOperation['response']>): unknown {
  const checked = validate(schema, result)
  if (checked.ok) return result
  const reasons = checked.mismatches.map((mismatch) => describeMismatch(mismatch, 'the answer'))
  throw new Error(`an answer does not fit its schema: ${reasons.join('; ')}`)
}

function readQuery(call: ApiRequest, operation: ControlOperation): unknown {
  const parameters = [...new URLSearchParams(call.query)]
  const found = Object.fromEntries(parameters)
  const names = Object.keys(found)
  if (names.length < parameters.length) {
    const given = parameters.map(([name]) => name)
    const twice = names.find((name) => given.indexOf(name) < given.lastIndexOf(name)) ?? ''
    throw new Problem('invalid_parameter', `${describeValue(twice)} must be given once, found more`)
  }
  const result = validate(operation.query ?? noQuery, found)
  if (result.ok) return result.value
  const reasons = result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the query'))
  throw new Problem('invalid_parameter', reasons.join('; '))
}

const noQuery = z.strictObject({})

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses a page of another origin that would steer a world, by the rules of Go's
 * CrossOriginProtection: a browser says where a request comes from, other clients send neither
 * header.
 */
function refuseOtherOrigins(call: ApiRequest): void {
  if (safeMethods.includes(call.method)) return
  const site = call.header('sec-fetch-site') ?? ''
  const origin = call.header('origin') ?? ''
  if (site === 'same-origin' || site === 'none') return
  if (site === '' && (origin === '' || isHost(origin, call.header('host')))) return
  const from = origin || site
  const message = `a page of another origin may not steer a world, found a request from ${from}`
  throw new Problem('cross_origin_denied', message)
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

function answerUnrouted(call: ApiRequest, allow: readonly string[]): ApiResponse {
  const headers = allow.length > 0 ? ['Allow', allow.join(', ')] : []
  if (call.method === 'OPTIONS' && allow.length > 0) {
    return { status: 204, headers: [...commonHeaders, ...headers], body: undefined }
  }
  const what = `${call.method} ${call.path.slice(0, 200) || '/'}`
  const problem =
    allow.length > 0
      ? new Problem(
          'method_not_allowed',
          `${what} is no control operation; the path has ${allow.join(', ')}`,
        )
      : new Problem('route_not_found', `${what} is no control operation; GET the address itself`)
  return replyWithError(problem.toBody(), headers)
}

/** No header lets a page of another origin read an answer. */
const commonHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

function replyWithError(body: ErrorBody, headers: readonly string[] = []): ApiResponse {
  const challenge = body.status === 401 ? ['WWW-Authenticate', toChallenge(body)] : []
  return reply(body.status, JsonText.of(body), [...headers, ...challenge])
}

/** RFC 6750, section 3: a token that is refused is named as the reason. */
function toChallenge({ code }: ErrorBody): string {
  const realm = 'Bearer realm="petstore"'
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : realm
}

function reply(status: number, body: JsonText, further: readonly string[] = []): ApiResponse {
  const content = ['Content-Type', 'application/json', 'Content-Length', String(body.byteLength)]
  return { status, headers: [...commonHeaders, ...content, ...further], body }
}

function replyWithStream(stream: EventStream): ApiResponse {
  const headers = [...commonHeaders, 'Content-Type', 'text/event-stream']
  return { status: 200, headers, body: undefined, stream }
}

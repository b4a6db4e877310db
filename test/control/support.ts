import { expect, onTestFinished } from 'vitest'
import { documentedControlErrors } from '../../src/control/operation.js'
import type { ControlOperationId } from '../../src/control/operations.js'
import type { SandboxOptions } from '../../src/index.js'
import type { Environment } from '../../src/service/addresses.js'
import { errorSchema } from '../../src/service/schemas.js'
import { validate } from '../../src/service/validation/validate.js'
import {
  createClient,
  type SendRequest,
  type ServiceRequest,
  toRequest,
} from '../support/client.js'
import { Coverage } from '../support/coverage.js'
import { controlOperations, findControlOperation } from '../support/operations.js'
import { checkDate, checkErrorBody } from '../support/response-contract.js'
import { startMs } from '../support/suite.js'
import type { Place, ReceivedResponse, Transport } from '../support/transport.js'

/** A control request as a test writes it: an operation, or any method and path. */
export interface ControlRequest
  extends Omit<ServiceRequest, 'operation' | 'address' | 'petId' | 'expectsFault'> {
  readonly operation?: ControlOperationId
  readonly environment?: Environment
}

export interface ControlResponse extends ReceivedResponse {
  /** The body as JSON; undefined if there is no body. */
  readonly json: unknown
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** The `message` of an Error body. */
  readonly message: string
}

export type SendControl = (request: ControlRequest) => Promise<ControlResponse>

/** A sandbox that is open for one test, with a client of the service and one of the control API. */
export interface Connection {
  readonly sandbox: Place['sandbox']
  readonly send: SendRequest
  readonly control: SendControl
}

/** The outcomes that appeared: the operation, and `success` or the code of an error. */
export type Outcomes = Set<`${ControlOperationId} ${string}`>

/** Opens a sandbox that closes at the end of the test. Its real time does not advance. */
export async function connect(
  transport: Transport,
  options: SandboxOptions = {},
  outcomes: Outcomes = new Set(),
): Promise<Connection> {
  const place = await transport.open({ now: () => startMs, sleep: async () => {}, ...options })
  onTestFinished(async () => {
    await place.close()
  })
  return {
    sandbox: place.sandbox,
    send: createClient(place, new Coverage()),
    control: createControlClient(place, outcomes),
  }
}

/** Returns the base address of the control API of an environment. */
export function toControlUrl(urls: Place['urls'], environment: Environment = 'production') {
  return urls[environment === 'staging' ? 'staging' : 'api'].replace(/\/v1$/, '/sandbox')
}

function createControlClient(place: Pick<Place, 'urls' | 'send'>, outcomes: Outcomes): SendControl {
  return async (request) => {
    const definition = request.operation && controlOperations[request.operation]
    const method = request.method ?? definition?.method ?? 'GET'
    const path = request.path ?? definition?.path ?? ''
    const url = `${toControlUrl(place.urls, request.environment)}${path}`
    const { operation: _, ...parts } = request
    const received = await place.send(toRequest(parts, method, url))
    const operation = findControlOperation(method, path)
    const response = toResponse(received)
    checkResponse(method, operation, response)
    if (operation && method !== 'HEAD') outcomes.add(`${operation} ${response.code ?? 'success'}`)
    return response
  }
}

function toResponse(received: ReceivedResponse): ControlResponse {
  const isJson = received.headers.get('Content-Type') === 'application/json'
  const json: unknown = isJson && received.text !== '' ? JSON.parse(received.text) : undefined
  const error = errorSchema.safeParse(json)
  const { code, message } = error.success ? error.data : {}
  return { ...received, json, code, message: message ?? '' }
}

/** Validates a response against everything that the control API states of every response. */
function checkResponse(
  method: string,
  operation: ControlOperationId | undefined,
  response: ControlResponse,
): void {
  const { status, headers, text, json } = response
  const names = [...headers.keys()]
  const serviceHeaders = names.filter((name) => /^(x-ratelimit|access-control)/.test(name))
  expect(serviceHeaders, 'no quota and no other origin').toEqual([])
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  checkDate(headers)
  checkGeneration(method, operation, response)
  expect(headers.get('WWW-Authenticate') !== null, `a challenge on ${status}`).toBe(status === 401)
  if (status === 405) expect(headers.get('Allow'), 'Allow').toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  if (method === 'HEAD' || status === 204) {
    expect(text, 'no body').toBe('')
    return
  }
  expect(headers.get('Content-Type')).toBe('application/json')
  if (status >= 400) {
    const documented = operation
      ? documentedControlErrors(controlOperations[operation])
      : (['route_not_found', 'method_not_allowed'] as const)
    checkErrorBody(json, status, documented, operation)
  } else checkSuccess(operation, status, json)
}

/** The generation of the world is on each response to a request that an operation received. */
function checkGeneration(
  method: string,
  operation: ControlOperationId | undefined,
  { status, headers, code }: ControlResponse,
): void {
  const generation = headers.get('Sandbox-World-Generation')
  const isKeyRead = status !== 401 && code !== 'cross_origin_denied'
  const isWorldKnown = operation && method !== 'OPTIONS' && isKeyRead
  if (isWorldKnown) expect(generation, `the generation on ${status}`).toMatch(/^\d+$/)
  else expect(generation, `the generation on ${status}`).toBeNull()
}

function checkSuccess(operation: ControlOperationId | undefined, status: number, json: unknown) {
  const definition = operation && controlOperations[operation]
  expect(definition, `an operation that responds with ${status}`).toBeDefined()
  const { status: documented = 200, body } = definition?.response ?? {}
  expect(status).toBe(documented)
  expect(body, 'a documented body').toBeDefined()
  expect(body && validate(body.schema, json), 'the documented shape').toMatchObject({ ok: true })
}

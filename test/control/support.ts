import { expect, onTestFinished } from 'vitest'
import type { Environment } from '../../src/contract/addresses.js'
import { type ErrorCode, errorCodes } from '../../src/contract/errors.js'
import { errorSchema } from '../../src/contract/response-schemas.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../src/control/operations.js'
import type { SandboxOptions } from '../../src/index.js'
import { validate } from '../../src/validation/validate.js'
import { type Call, createClient } from '../support/client.js'
import { Coverage } from '../support/coverage.js'
import { startMs } from '../support/suite.js'
import type { Place, ReceivedAnswer, SentRequest, Transport } from '../support/transport.js'

/** A control call as a test writes it: an operation, or any method and path. */
export interface SteerRequest {
  readonly operation?: ControlOperationId
  readonly method?: string
  /** Below the steering address, with the query. */
  readonly path?: string
  readonly environment?: Environment
  /** Sent as `Authorization: Bearer <key>`; null for no such header. Default: `sbx_free`. */
  readonly key?: string | null
  /** The whole Authorization header in place of `key`. */
  readonly authorization?: string
  /** Null for no such header. Default: `application/json` where there is a body. */
  readonly contentType?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface SteerAnswer extends ReceivedAnswer {
  /** The body as JSON; undefined without one. */
  readonly json: unknown
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** The `message` of an Error body. */
  readonly message: string
}

export type Steer = (request: SteerRequest) => Promise<SteerAnswer>

/** A sandbox that is open for one test, to be called and to be steered. */
export interface Connection {
  readonly sandbox: Place['sandbox']
  readonly call: Call
  readonly steer: Steer
  /** Where the production worlds are steered. */
  readonly steeringUrl: string
  /** Lets real time pass, in milliseconds. */
  readonly pass: (ms: number) => void
}

/** Which outcomes of which control operations appeared. */
export type Outcomes = Set<`${ControlOperationId} ${string}`>

/** Opens a sandbox that closes with the test. Its time stands still until the test moves it. */
export async function connect(
  transport: Transport,
  options: SandboxOptions = {},
  outcomes: Outcomes = new Set(),
): Promise<Connection> {
  let realMs = startMs
  const place = await transport.open({ now: () => realMs, sleep: async () => {}, ...options })
  onTestFinished(async () => {
    await place.close()
  })
  return {
    sandbox: place.sandbox,
    call: createClient(place, new Coverage()),
    steer: createSteer(place, outcomes),
    steeringUrl: toSteeringUrl(place.urls),
    pass: (ms) => {
      realMs += ms
    },
  }
}

/** Where the worlds of an environment are steered. */
export function toSteeringUrl(urls: Place['urls'], environment: Environment = 'production') {
  return urls[environment === 'staging' ? 'staging' : 'api'].replace(/\/v1$/, '/sandbox')
}

function createSteer(place: Pick<Place, 'urls' | 'send'>, outcomes: Outcomes): Steer {
  return async (given) => {
    const row = given.operation && controlOperations[given.operation]
    const method = given.method ?? row?.method ?? 'GET'
    const path = given.path ?? row?.path ?? ''
    const url = `${toSteeringUrl(place.urls, given.environment)}${path}`
    const received = await place.send(toRequest(given, method, url))
    const operation = findControlOperation(method, path)
    const answer = toAnswer(received)
    checkAnswer(method, operation, answer)
    if (operation && method !== 'HEAD') outcomes.add(`${operation} ${answer.code ?? 'success'}`)
    return answer
  }
}

/** The operation of a control call by the table alone, so that the router is not its own judge. */
function findControlOperation(method: string, path: string): ControlOperationId | undefined {
  const [route = ''] = path.split('?', 1)
  return controlOperationIds.find((id) => {
    const row = controlOperations[id]
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return row.method === (method === 'HEAD' ? 'GET' : method) && pattern.test(route)
  })
}

const encoder = new TextEncoder()

function toRequest(given: SteerRequest, method: string, url: string): SentRequest {
  const { key = 'sbx_free', authorization, contentType = 'application/json' } = given
  const json = given.json === undefined ? undefined : JSON.stringify(given.json)
  const text = given.body ?? json
  const body = typeof text === 'string' ? encoder.encode(text) : text
  const headers: [string, string][] = []
  if (authorization !== undefined) headers.push(['Authorization', authorization])
  else if (key !== null) headers.push(['Authorization', `Bearer ${key}`])
  if (body && contentType !== null) headers.push(['Content-Type', contentType])
  return { method, url, headers: [...headers, ...Object.entries(given.headers ?? {})], body }
}

function toAnswer(received: ReceivedAnswer): SteerAnswer {
  const isJson = received.headers.get('Content-Type') === 'application/json'
  const json: unknown = isJson && received.text !== '' ? JSON.parse(received.text) : undefined
  const error = errorSchema.safeParse(json)
  const { code, message } = error.success ? error.data : {}
  return { ...received, json, code, message: message ?? '' }
}

/** Holds an answer against all that every answer to a control call promises. */
function checkAnswer(
  method: string,
  operation: ControlOperationId | undefined,
  answer: SteerAnswer,
): void {
  const { status, headers, text, json } = answer
  const names = [...headers.keys()]
  expect(
    names.filter((name) => name.startsWith('x-ratelimit')),
    'no quota of the service',
  ).toEqual([])
  expect(
    names.filter((name) => name.startsWith('access-control')),
    'no other origin',
  ).toEqual([])
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('WWW-Authenticate') !== null, `a challenge on ${status}`).toBe(status === 401)
  if (status === 405) expect(headers.get('Allow'), 'Allow').toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  if (method === 'HEAD' || status === 204) {
    expect(text, 'no body').toBe('')
    return
  }
  expect(headers.get('Content-Type')).toBe('application/json')
  if (status >= 400) checkError(status, json)
  else checkSuccess(operation, status, json)
}

/** Spec §7: every error body has the Error shape, and `status` repeats the HTTP status. */
function checkError(status: number, json: unknown): void {
  const error = errorSchema.parse(json)
  expect(error.status, 'status repeats the HTTP status').toBe(status)
  expect(Object.keys(errorCodes), 'a code of the catalogue').toContain(error.code)
  expect(errorCodes[error.code as ErrorCode].status, 'the status of the code').toBe(status)
}

function checkSuccess(operation: ControlOperationId | undefined, status: number, json: unknown) {
  const row = operation && controlOperations[operation]
  expect(row, `an operation behind ${status}`).toBeDefined()
  expect(status).toBe(row?.status ?? 200)
  const found = row?.response && validate(row.response, json)
  expect(found, 'an answer of the documented shape').toMatchObject({ ok: true })
}

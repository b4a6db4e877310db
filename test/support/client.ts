import { type OperationId, operations } from '../../src/service/operations/operations.js'
import type { Coverage } from './coverage.js'
import { findOperation } from './operations.js'
import { checkResponse } from './response-contract.js'
import {
  type Place,
  type ReceivedResponse,
  type SentRequest,
  type ServiceAddress,
  serviceAddresses,
} from './transport.js'

/**
 * A request as a test writes it: an operation, whose example request succeeds, or any method and
 * path. The other fields replace the fields of the example.
 */
export interface ServiceRequest {
  readonly operation?: OperationId
  /** Path parameter of the operation. Default: `1`. */
  readonly petId?: string
  readonly method?: string
  /** Path below the address, with the query. */
  readonly path?: string
  readonly address?: ServiceAddress
  /** Sent as `Authorization: Bearer <key>`; null omits the header. Default: `sbx_free`. */
  readonly key?: string | null
  /** Value of the Authorization header, in place of `key`. */
  readonly authorization?: string
  /** Null omits the header. Default: `application/json` if there is a body. */
  readonly contentType?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent unchanged; null for no body. */
  readonly body?: string | Uint8Array<ArrayBuffer> | null
  /** Whether a fault may respond, with any status and code; `raw`: with any body and headers. */
  readonly expectsFault?: boolean | 'raw'
}

/** A response as a test reads it. */
export interface ServiceResponse extends ReceivedResponse {
  /** The body as JSON; undefined if there is no body. */
  readonly json: unknown
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** The `message` of an Error body. */
  readonly message: string
  readonly rateLimit: {
    readonly limit: number
    readonly remaining: number
    readonly reset: number
  }
  /** Whole seconds; NaN without the header. */
  readonly retryAfter: number
}

export type SendRequest = (request: ServiceRequest) => Promise<ServiceResponse>

/** A valid body for each operation that takes one. */
const exampleBodies: Readonly<Partial<Record<OperationId, unknown>>> = {
  updateInventory: { quantity: 5 },
  sendMessage: { message: 'Hello' },
}

/** Creates a client that validates every response against the contract and records the outcome. */
export function createClient(place: Pick<Place, 'urls' | 'send'>, coverage: Coverage): SendRequest {
  return async (request) => {
    const { method, address, path } = toTarget(request)
    const operation = findOperation(address, method, path)
    const received = await place.send(toRequest(request, method, `${place.urls[address]}${path}`))
    if (request.expectsFault === 'raw') return toResponse({ ...received, isCutOff: true })
    const response = toResponse(received)
    const prefers = Object.keys(request.headers ?? {}).some((name) => /^prefer$/i.test(name))
    const expectsFault = request.expectsFault ?? false
    checkResponse({ method, operation, prefers, expectsFault }, response)
    // A preference can request any documented error, so it is evidence only of an internal error.
    const isEvidence = !prefers || response.code === 'internal_error'
    if (operation && method !== 'HEAD' && !expectsFault && isEvidence)
      coverage.addOutcome(operation, response.code)
    return response
  }
}

function toTarget(request: ServiceRequest): {
  method: string
  address: ServiceAddress
  path: string
} {
  const contract = request.operation && operations[request.operation]
  const example = contract?.path.replace('{petId}', request.petId ?? '1')
  return {
    method: request.method ?? contract?.method ?? 'GET',
    address:
      request.address ?? serviceAddresses.find((id) => contract?.addresses.includes(id)) ?? 'api',
    path: request.path ?? example ?? '/',
  }
}

/** Returns a request as it is sent to a URL. */
export function toRequest(request: ServiceRequest, method: string, url: string): SentRequest {
  const body = toBody(request)
  return { method, url, headers: toHeaders(request, body !== undefined), body }
}

const encoder = new TextEncoder()

function toBody(request: ServiceRequest): SentRequest['body'] {
  if (request.body === null) return undefined
  if (request.body instanceof Uint8Array) return request.body
  if (request.body !== undefined) return encoder.encode(request.body)
  const json = request.json ?? (request.operation && exampleBodies[request.operation])
  return json === undefined ? undefined : encoder.encode(JSON.stringify(json))
}

function toHeaders(request: ServiceRequest, hasBody: boolean): [string, string][] {
  const { key = 'sbx_free', authorization, contentType = 'application/json' } = request
  const headers: [string, string][] = []
  if (authorization !== undefined) headers.push(['Authorization', authorization])
  else if (key !== null) headers.push(['Authorization', `Bearer ${key}`])
  if (hasBody && contentType !== null) headers.push(['Content-Type', contentType])
  return [...headers, ...Object.entries(request.headers ?? {})]
}

function toResponse(received: ReceivedResponse): ServiceResponse {
  const { headers, text, isCutOff } = received
  const json: unknown = text === '' || isCutOff ? undefined : JSON.parse(text)
  const { code, message } = received.status >= 400 ? toErrorFields(json) : {}
  const readNumber = (name: string) => Number(headers.get(name) ?? Number.NaN)
  return {
    ...received,
    json,
    code,
    message: message ?? '',
    rateLimit: {
      limit: readNumber('X-RateLimit-Limit'),
      remaining: readNumber('X-RateLimit-Remaining'),
      reset: readNumber('X-RateLimit-Reset'),
    },
    retryAfter: readNumber('Retry-After'),
  }
}

/** Reads the fields without validation: `checkResponse` validates the whole body. */
function toErrorFields(json: unknown): { code?: string; message?: string } {
  return typeof json === 'object' && json !== null ? json : {}
}

import { type OperationId, operations } from '../../src/operations/operations.js'
import type { Coverage } from './coverage.js'
import { findOperation } from './find-operation.js'
import { checkAnswer } from './response-contract.js'
import type { Place, ReceivedAnswer, SentRequest, ServiceAddress } from './transport.js'

/**
 * A call as a test writes it: an operation with an example of a request that succeeds, or any
 * method and path. What is given replaces the example.
 */
export interface CallRequest {
  readonly operation?: OperationId
  /** In the operation's path. Default: `1`. */
  readonly petId?: string
  readonly method?: string
  /** Below the address, with the query. */
  readonly path?: string
  readonly address?: ServiceAddress
  /** Sent as `Authorization: Bearer <key>`; null for no such header. Default: `sbx_free`. */
  readonly key?: string | null
  /** The whole Authorization header in place of `key`. */
  readonly authorization?: string
  /** Null for no such header. Default: `application/json` where there is a body. */
  readonly contentType?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is; null for no body. */
  readonly body?: string | Uint8Array<ArrayBuffer> | null
  /** Whether a fault of the scenario may answer, with a status and code of its own. */
  readonly isStruck?: boolean
}

/** An answer as a test looks at it. */
export interface CallAnswer extends ReceivedAnswer {
  /** The body as JSON; undefined when it is none. */
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

export type Call = (request: CallRequest) => Promise<CallAnswer>

/** A body with which each operation that takes one succeeds. */
const exampleBodies: Readonly<Partial<Record<OperationId, unknown>>> = {
  updateInventory: { quantity: 5 },
  sendMessage: { message: 'Hello' },
}

/** A client that holds every answer against the contract and notes what appeared. */
export function createClient(place: Pick<Place, 'urls' | 'send'>, coverage: Coverage): Call {
  return async (given) => {
    const { method, address, path } = toTarget(given)
    const operation = findOperation(address, method, path)
    const received = await place.send(toRequest(given, method, `${place.urls[address]}${path}`))
    const answer = toAnswer(received)
    const prefers = Object.keys(given.headers ?? {}).some((name) => /^prefer$/i.test(name))
    const isStruck = given.isStruck ?? false
    checkAnswer({ method, operation, prefers, isStruck }, answer)
    if (operation && method !== 'HEAD' && !isStruck) coverage.sawOutcome(operation, answer.code)
    return answer
  }
}

function toTarget(given: CallRequest): { method: string; address: ServiceAddress; path: string } {
  const contract = given.operation && operations[given.operation]
  const [firstAddress = 'api'] = contract?.addresses ?? []
  const example = contract?.path.replace('{petId}', given.petId ?? '1')
  return {
    method: given.method ?? contract?.method ?? 'GET',
    address: given.address ?? firstAddress,
    path: given.path ?? example ?? '/',
  }
}

function toRequest(given: CallRequest, method: string, url: string): SentRequest {
  const body = toBody(given)
  return { method, url, headers: toHeaders(given, body !== undefined), body }
}

const encoder = new TextEncoder()

function toBody(given: CallRequest): SentRequest['body'] {
  if (given.body === null) return undefined
  if (given.body instanceof Uint8Array) return given.body
  if (given.body !== undefined) return encoder.encode(given.body)
  const json = given.json ?? (given.operation && exampleBodies[given.operation])
  return json === undefined ? undefined : encoder.encode(JSON.stringify(json))
}

function toHeaders(given: CallRequest, hasBody: boolean): [string, string][] {
  const { key = 'sbx_free', authorization, contentType = 'application/json' } = given
  const headers: [string, string][] = []
  if (authorization !== undefined) headers.push(['Authorization', authorization])
  else if (key !== null) headers.push(['Authorization', `Bearer ${key}`])
  if (hasBody && contentType !== null) headers.push(['Content-Type', contentType])
  return [...headers, ...Object.entries(given.headers ?? {})]
}

function toAnswer(received: ReceivedAnswer): CallAnswer {
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

/** Whether the fields fit is for the check of the whole answer to say. */
function toErrorFields(json: unknown): { code?: string; message?: string } {
  return typeof json === 'object' && json !== null ? json : {}
}

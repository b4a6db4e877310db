import type { World } from '../control/world.js'
import { addresses, type Environment } from '../service/addresses.js'
import type { ErrorBody, Problem } from '../service/errors.js'
import { documentedHeaders, requestIdHeader } from '../service/headers.js'
import type { JsonText } from '../service/json-text.js'
import type { Change } from '../service/operations/change.js'
import { truncate } from '../service/validation/message.js'
import { toDeprecationHeaders } from '../world/deprecation.js'
import type { PendingRequest } from '../world/journal/entry.js'
import { takeOrder } from '../world/journal/journal.js'
import type { Host, KeyHolder } from './host.js'
import { maskKeys } from './mask.js'
import type { ApiRequest, RequestBody } from './message.js'
import { findMethods, type Route } from './route.js'

/** The delay and the error that preferences and faults inject into a request. */
export interface Injection {
  /** Delay in milliseconds. */
  readonly waitMs: number
  /** The error that ends the request after the delay, in place of the operation. */
  readonly end?: Problem | ErrorResponse | ConnectionReset
  /** Delay between the operation and its response, in milliseconds. Default: 0. */
  readonly lateMs?: number
}

const noInjection: Injection = { waitMs: 0 }

/** Headers of every response: prevent caching and MIME type sniffing. */
const commonHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

/** Headers of every response of the service: allow pages of any origin to read it. */
const serviceHeaders = [
  ...commonHeaders,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  [...documentedHeaders, 'Date'].join(', '),
]

const preflightHeaders = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  // The wildcard does not include Authorization (Fetch standard, CORS protocol).
  'Access-Control-Allow-Headers',
  'Authorization, *',
  'Access-Control-Max-Age',
  '600',
]

/** The values of the three rate-limit headers; the reset in milliseconds since the epoch. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAtMs: number
}

/** The state of one request in the pipeline. Builds the headers of its response. */
export class Exchange {
  readonly startedAt: number
  /** Whether the request is for the service rather than the control API. */
  readonly isService: boolean
  readonly environment: Environment
  /** The decision of each processing step, one line each. */
  readonly explanation: string[] = []
  changes: readonly Change[] = []
  /** The body of the request. Undefined until it has been read, and if there is none. */
  body: RequestBody
  /** Whether no journal may contain the request, because it cannot be stored. */
  isUnrecorded = false
  /** Whether the request ends because the client aborted it. */
  isAborted = false
  /** The key as sent, valid or not. */
  apiKey: string | undefined
  holder: KeyHolder | undefined
  /** The rate-limit headers at the time the request was charged. */
  rateLimit: RateLimit | undefined
  /** The status that the client requested with `Prefer`. */
  preferredStatus: number | undefined
  /** The value of `Preference-Applied`; empty for none. */
  preferenceApplied = ''
  /** Time of the world at which the request was charged or rejected, in ms since the epoch. */
  arrivedAtMs: number | undefined
  /** Place of its arrival in the order of the requests and responses of this process. */
  readonly order: number
  /** Simulated delay, in milliseconds. */
  delayMs = 0
  /** Whether a preference or a fault determines the status. */
  isSimulated = false
  /** Value of `Retry-After`, in whole seconds. */
  retryAfterSeconds: number | undefined
  /** Returns the bytes of the body that are sent before a fault closes the connection. */
  truncate: ((body: Uint8Array) => Uint8Array) | undefined
  /** The value of `X-Request-Id`. Undefined until the response is ready. */
  requestId: string | undefined
  /** Whether a fault acts after the operation. */
  actsAfterwards = false
  /** Whether a fault resets the connection in place of the response. */
  losesResponse = false
  /** The delay and the error that preferences and faults inject. */
  injection: Injection = noInjection
  /** Whether the response is recorded later, when a fault lets it be sent. */
  isLate = false
  /** The code of the Error body, also if the client does not receive it. */
  code: string | undefined
  #pending: PendingRequest | undefined

  constructor(
    readonly request: ApiRequest,
    readonly route: Route,
    readonly host: Host,
  ) {
    const { api, environment } = addresses[request.address]
    this.startedAt = host.monotonic()
    this.isService = api === 'service'
    this.environment = environment
    this.order = request.order ?? takeOrder()
  }

  /** The world of the key; without a valid key, the initial one. */
  get world(): World {
    return this.holder?.world ?? this.host.initialWorld(this.environment)
  }

  /** Sets the holder of the key. Its world is not evicted until the exchange ends. */
  admit(holder: KeyHolder): void {
    holder.world.pendingRequests += 1
    this.holder = holder
    this.explain(holder.description)
  }

  /** Called when the response is ready. */
  end(): void {
    if (this.holder) this.holder.world.pendingRequests -= 1
    this.endPending()
  }

  /** Adds the request to the pending ones of its world, because it has to wait. */
  beginPending(): void {
    if (!this.isService || this.#pending) return
    const { request, route, world, holder } = this
    this.#pending = {
      receivedAtMs: world.clock.now(),
      address: request.address,
      method: request.method,
      path: maskKeys(truncate(request.path, 1_024)),
      operation: route.operation,
      apiKey: holder?.maskedKey,
    }
    world.journal.pending.set(this.#pending, () => request.isAborted)
  }

  /** Called when the response is in the journal, and when the request has ended without. */
  endPending(): void {
    if (this.#pending) this.world.journal.pending.delete(this.#pending)
    this.#pending = undefined
  }

  explain(line: string): void {
    this.explanation.push(line)
  }

  /** Returns a function that restores the current state. */
  save(): () => void {
    const saved = { ...this }
    const lines = this.explanation.length
    return () => {
      Object.assign(this, saved)
      this.explanation.length = lines
    }
  }

  /**
   * Returns the headers of the response: name, value, name, value. `Date` is the time of the world,
   * so that a client can compute the time until `X-RateLimit-Reset`.
   */
  toHeaders(status: number, body: JsonText | undefined): string[] {
    const { request, route, world, holder, isService, retryAfterSeconds } = this
    const headers = (isService ? serviceHeaders : commonHeaders).slice()
    headers.push('Date', world.clock.toHttpDate())
    if (body) {
      headers.push('Content-Type', 'application/json', 'Content-Length', String(body.byteLength))
    }
    if (isService) this.#pushServiceHeaders(headers, status)
    else headers.push(requestIdHeader, this.identifyRequest(0))
    if (!isService && holder) {
      headers.push('Sandbox-World-Generation', String(holder.world.generation))
    }
    if (retryAfterSeconds !== undefined) headers.push('Retry-After', String(retryAfterSeconds))
    if (status === 401) headers.push('WWW-Authenticate', toChallenge(this.code))
    const allow =
      status === 405 && isService ? findMethods(request.address, request.path) : route.allow
    if (allow.length > 0) headers.push('Allow', allow.join(', '))
    if (isService && request.method === 'OPTIONS') headers.push(...preflightHeaders)
    return headers
  }

  /**
   * Returns the id of the request.
   *
   * @param entryId The id of its journal entry; 0 if no journal has it.
   */
  identifyRequest(entryId: number): string {
    const { request, world, host } = this
    if (this.requestId !== undefined) return this.requestId
    const sent = request.header('x-request-id')
    const usable = sent === undefined ? undefined : readRequestId(sent)
    const prefix = world.requestIdPrefix
    this.requestId = usable ?? (entryId > 0 ? `${prefix}-${entryId}` : host.createRequestId())
    return this.requestId
  }

  #pushServiceHeaders(headers: string[], status: number): void {
    const { request, route, world, preferenceApplied, preferredStatus } = this
    for (const [name, value] of this.toRateLimitHeaders()) headers.push(name, value)
    const { endpoint } = route
    if (endpoint?.type === 'service' && endpoint.definition.deprecated) {
      headers.push(...toDeprecationHeaders(world.deprecation, request.publicRoot))
    }
    if (preferenceApplied !== '' && (preferredStatus ?? status) === status) {
      headers.push('Preference-Applied', preferenceApplied)
    }
  }

  /** Returns the three rate-limit headers. */
  toRateLimitHeaders(): readonly [name: string, value: string][] {
    const { limit, remaining, resetsAtMs } = this.#toRateLimit()
    return [
      ['X-RateLimit-Limit', String(limit)],
      ['X-RateLimit-Remaining', String(remaining)],
      // A Unix timestamp of clients has no sign, but a world can be in a year before 1970.
      ['X-RateLimit-Reset', String(Math.max(0, Math.ceil(resetsAtMs / 1000)))],
    ]
  }

  #toRateLimit(): RateLimit {
    const { rateLimit, holder, world } = this
    if (rateLimit) return rateLimit
    const now = world.clock.now()
    if (holder) return world.quota.account(holder.accountId).peek(now)
    // Without a valid key: the minute limit of Free; nothing is charged (A17).
    const limit = world.seed.plans.free.requestsPerMinute
    return { limit, remaining: limit, resetsAtMs: now + 60_000 }
  }
}

/** Needs no escaping in a log, a shell and a URL. */
const usable = /^[\w.:/+=@-]{1,128}$/

/** Returns the id that a client has sent; undefined if it is malformed or contains an API key. */
export function readRequestId(sent: string | undefined): string | undefined {
  return sent !== undefined && usable.test(sent) && maskKeys(sent) === sent ? sent : undefined
}

/** RFC 6750, section 3: the error code is included only if a token was sent and is invalid. */
function toChallenge(code: string | undefined): string {
  const realm = 'Bearer realm="petstore"'
  return code === 'invalid_api_key' ? `${realm}, error="invalid_token"` : realm
}

/** Thrown to send an Error body whose code may not be in the catalogue, such as that of a fault. */
export class ErrorResponse extends Error {
  override readonly name = 'ErrorResponse'

  constructor(readonly body: ErrorBody) {
    super(body.message)
  }
}

/** Thrown to reset the connection without a response. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}

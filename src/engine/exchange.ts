import type { World } from '../control/world.js'
import { addresses, type Environment } from '../service/addresses.js'
import type { ErrorBody, Problem } from '../service/errors.js'
import type { Change } from '../service/operations/operation.js'
import { truncate } from '../service/validation/message.js'
import type { PendingRequest } from '../world/journal/entry.js'
import { takeOrder } from '../world/journal/journal.js'
import type { KeyHolder } from './key-holder.js'
import { maskKeys } from './mask.js'
import type { ApiRequest, RequestBody } from './message.js'
import type { Route } from './route.js'
import type { Sandbox } from './sandbox.js'

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

/** The values of the three rate-limit headers; the reset in milliseconds since the epoch. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAtMs: number
}

/** The state of one request. What a step of the corridor decides is added to it. */
export class Exchange {
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
  /** Time until the response was ready, in milliseconds, to the microsecond. */
  durationMs = 0
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
  /** Present while the request waits. */
  pending: PendingRequest | undefined

  constructor(
    readonly request: ApiRequest,
    readonly route: Route,
    readonly sandbox: Sandbox,
    readonly startedAt: number,
  ) {
    const { api, environment } = addresses[request.address]
    this.isService = api === 'service'
    this.environment = environment
    this.order = request.order ?? takeOrder()
  }

  /** The world of the key; without a valid key, the initial one. */
  get world(): World {
    return this.holder?.world ?? this.sandbox.worlds.initial(this.environment)
  }

  /** Called when the response is ready. */
  end(): void {
    if (this.holder) this.holder.world.pendingRequests -= 1
    if (this.pending) this.endPending()
  }

  /** Adds the request to the pending ones of its world, because it has to wait. */
  beginPending(): void {
    if (!this.isService || this.pending) return
    const { request, route, world, holder } = this
    this.pending = {
      receivedAtMs: world.clock.now(),
      address: request.address,
      method: request.method,
      path: maskKeys(truncate(request.path, 1_024)),
      operation: route.operation,
      apiKey: holder?.maskedKey,
    }
    world.journal.pending.set(this.pending, () => request.isAborted)
  }

  /** Called when the response is in the journal, and when the request has ended without. */
  endPending(): void {
    if (this.pending) this.world.journal.pending.delete(this.pending)
    this.pending = undefined
  }

  /**
   * Returns the id of the request.
   *
   * @param entryId The id of its journal entry; 0 if no journal has it.
   */
  identifyRequest(entryId: number): string {
    const { request, world, sandbox } = this
    const sent = request.header('x-request-id')
    this.requestId ??=
      (sent === undefined ? undefined : readRequestId(sent)) ??
      (entryId > 0 ? `${world.requestIdPrefix}-${entryId}` : sandbox.createRequestId())
    return this.requestId
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
}

/** Needs no escaping in a log, a shell and a URL. */
const usableId = /^[\w.:/+=@-]{1,128}$/

/** Returns the id that a client has sent; undefined if it is malformed or contains an API key. */
export function readRequestId(sent: string | undefined): string | undefined {
  return sent !== undefined && usableId.test(sent) && maskKeys(sent) === sent ? sent : undefined
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

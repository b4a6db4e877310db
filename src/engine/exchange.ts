import type { EventStream } from '../control/event-feed.js'
import type { AddressId, Environment } from '../service/addresses.js'
import type { ErrorBody } from '../service/errors.js'
import type { JsonText } from '../service/json-text.js'
import type { Change } from '../service/operations/operation.js'
import type { FaultResponse } from '../world/faults/kind.js'
import type { PendingRequest } from '../world/journal/entry.js'
import type { FactConnection } from '../world/journal/facts.js'
import type { Client } from './client.js'
import type { KeyHolder } from './keys.js'
import type { Route } from './route.js'
import type { Sandbox } from './sandbox.js'

/** A request, as every transport passes it to the engine. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  readonly address: AddressId
  /** Path below the base address, as sent, without the query: `/inventory/7`. */
  readonly path: string
  /** Query without the `?`, as sent; empty if there is none. */
  readonly query: string
  /** Returns the value of a header by its lower-case name; repeated headers are joined with `, `. */
  header(name: string): string | undefined
  /** Visits each header with its lower-case name; repeated headers may be joined. */
  forEachHeader(visit: (name: string, value: string) => void): void
  /** The connection of a request over HTTP, which its facts share; undefined in process. */
  readonly connection?: { readonly fact: FactConnection } | undefined
  /** Position of its arrival in the order of the process, if the request arrived before it was read. */
  readonly order?: number | undefined
  /** The client of a request over HTTP; undefined in process. */
  readonly client?: Client
  /**
   * URL at which the client reaches the sandbox, without a trailing slash. Undefined in process, and
   * over HTTP if it is not known.
   */
  readonly publicRoot?: string | undefined
  /** Whether the client has disconnected or aborted the request. */
  readonly isAborted: boolean
  /** Calls the listener once when the client disconnects or aborts the request. */
  onAbort(listener: () => void): void
  /**
   * Calls the listener once when the response has been sent or the client has disconnected. Undefined in
   * process.
   */
  onSent?(listener: () => void): void
  /**
   * Called before the request waits for the end of a delay. Undefined in process.
   *
   * @throws {Problem} sandbox_capacity, if too many requests wait.
   */
  beginDelay?(): void
  /**
   * Reads the body. Called at most once, after authentication. Returns undefined if there is none.
   *
   * @param limit Maximum size of the body, in bytes.
   * @throws {RequestAborted} As a rejection, if the client disconnects.
   * @throws {Problem} sandbox_capacity, as a rejection, if there is no room for the body.
   */
  readBody(limit: number): Promise<RequestBody> | undefined
}

/** A whole body; `too-large` if it exceeds the limit (A12); undefined if there is none. */
export type RequestBody = Uint8Array | 'too-large' | undefined

/** Thrown if the client disconnects or aborts the request before the response. */
export class RequestAborted extends Error {}

/** Minimum size of a response body whose sending may take some time, in bytes. */
export const longBodyBytes = 16_384

/** A response, as every transport sends it. */
export interface ApiResponse {
  /** 0 if the transport resets the connection before sending anything. */
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** Absent for 204. A transport omits it in the response to HEAD. */
  readonly body: JsonText | undefined
  /** The bytes of the body that the transport sends before it closes the connection. */
  readonly truncated?: Uint8Array | undefined
  /** Server-sent events in place of a body, until the stream ends or the client disconnects. */
  readonly stream?: EventStream
}

/** One request in progress. Each step adds its result. */
export interface Exchange {
  readonly request: ApiRequest
  readonly route: Route
  readonly sandbox: Sandbox
  /** Whether the request is for the service rather than the control API. */
  readonly isService: boolean
  readonly environment: Environment
  /** Maximum size of the body, in bytes (A12). */
  readonly bodyLimit: number
  /** When the request arrived, in monotonic milliseconds. */
  readonly startedAt: number
  /** Position of its arrival in the order of the requests and responses of this process. */
  readonly order: number
  /** The decision of each step, one line each. */
  readonly explanation: string[]
  /** Undefined without a valid key. */
  holder?: KeyHolder
  /** Undefined before it is read, and if there is none. */
  body?: RequestBody
  /** Time of the world at which the request was charged or rejected, in ms since the epoch. */
  chargedAtMs?: number
  /** The rate limit when the request was charged. */
  rateLimit?: RateLimit
  /** The effects of preferences and faults. */
  injection: Injection
  changes: readonly Change[]
  /** Value of `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number | undefined
  /** The code of the Error body, also if the client does not receive it. */
  code?: string | undefined
  /** Whether the request ended because the client aborted it. */
  isAborted?: boolean
  /** Whether the request cannot be stored, and is therefore in no journal. */
  isUnavailable?: boolean
  /** Present if a handler of the user responds. The request may be outside all addresses. */
  userHandled?: { readonly address: AddressId | undefined }
  /** The value of `X-Request-Id`. */
  requestId?: string | undefined
  /** Present while the request waits. */
  pending?: PendingRequest
}

/** The values of the three rate-limit headers; the reset in milliseconds since the epoch. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAtMs: number
}

/** An injected error response. */
export interface InjectedEnd {
  readonly error: ErrorBody
  /** Present for a fault. */
  readonly fault?: FaultResponse
}

/** The parts of a delay, one after the other, in milliseconds. */
export interface Delay {
  readonly realMs: number
  /** Time of the world. */
  readonly worldMs: number
}

/** The effects of preferences and faults on a request. */
export interface Injection {
  /** Delay before the operation. */
  wait?: Delay
  /** Delay between the operation and its response. */
  late?: Delay
  /** Both delays together, in milliseconds. */
  delayMs: number
  /** The error response or the reset that replaces the operation. */
  end?: InjectedEnd | 'reset'
  /** The status that the client requested with `Prefer`. */
  preferredStatus?: number | undefined
  /** The value of `Preference-Applied`. */
  preferenceApplied?: string
  /** Whether a fault acts after the operation. */
  isAfterwards?: boolean
  /** Whether a fault resets the connection in place of the response of the operation. */
  losesResponse?: boolean
  /** Returns the bytes of the body that are sent before a fault closes the connection. */
  truncate?: ((body: Uint8Array) => Uint8Array) | undefined
}

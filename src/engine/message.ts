import type { EventStream } from '../control/event-feed.js'
import { type AddressId, addresses } from '../service/addresses.js'
import { controlBodyBytes, serviceBodyBytes } from '../service/bounds.js'
import type { JsonText } from '../service/json-text.js'
import type { FactConnection } from '../world/journal/facts.js'
import type { Client } from './client.js'

/** Size of a response body from which sending it may take some time, in bytes. */
export const longBodyBytes = 16_384

/** A request, as every transport passes it to the pipeline. */
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
  /** The connection of a request over HTTP; undefined in process. */
  readonly connection?: ConnectionState | undefined
  /** Place of its arrival in the order of the process, if the request arrived before it was read. */
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
   * @throws {RequestAborted} As a rejection, if the client disconnects.
   * @throws {Problem} sandbox_capacity, as a rejection, if there is no room for the body.
   */
  readBody(): Promise<RequestBody> | undefined
}

/** A connection. A client sends its next request on it when it has the response. */
export interface ConnectionState {
  /** Shared by the facts of its requests, which thereby show when it has ended. */
  readonly line: FactConnection
}

/** A whole body; `too-large` if it exceeds the limit (A12); undefined if there is none. */
export type RequestBody = Uint8Array | 'too-large' | undefined

/** Thrown if the client disconnects or aborts the request before the response. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted'

  constructor() {
    super('the client aborted the request')
  }
}

/** @throws {RequestAborted} If the client has disconnected or aborted the request. */
export function throwIfAborted(request: ApiRequest): void {
  if (request.isAborted) throw new RequestAborted()
}

/** A response, as every transport sends it. */
export interface ApiResponse {
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** Absent for 204. A transport omits it in the response to HEAD. */
  readonly body: JsonText | undefined
  /** How the transport breaks the response; absent without a fault. */
  readonly fault?: TransportFault
  /** Server-sent events in place of a body, until the stream ends or the client disconnects. */
  readonly stream?: EventStream
}

/**
 * A broken transmission. `reset` resets the connection before sending anything. `truncate` sends the
 * status line, the headers and these bytes of the body, and then closes the connection.
 */
export type TransportFault =
  | { readonly type: 'reset' }
  | { readonly type: 'truncate'; readonly bytes: Uint8Array }

/** Returns the maximum size of a body at an address, in bytes (A12). */
export function bodyLimitOf(address: AddressId): number {
  return addresses[address].api === 'control' ? controlBodyBytes : serviceBodyBytes
}

import { type AddressId, addresses } from '../contract/addresses.js'
import type { JsonText } from '../contract/json-text.js'
import type { EventStream } from '../control/operation.js'

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
  /** The whole body; `too-large` if it exceeds the limit (A12); undefined if there is none. */
  readonly body: Uint8Array | 'too-large' | undefined
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
  /** Server-sent events in place of a body, until the client disconnects. */
  readonly stream?: EventStream
}

/**
 * A broken transmission. `reset` resets the connection before sending anything. `truncate` sends the
 * status line, the headers and these bytes of the body, and then closes the connection.
 */
export type TransportFault =
  | { readonly type: 'reset' }
  | { readonly type: 'truncate'; readonly bytes: Uint8Array }

/** Maximum size of a body of the service, in bytes (A12). */
export const serviceBodyLimit = 65_536
const controlBodyLimit = 8 * 1_048_576

/**
 * Returns the maximum size of a body at an address, in bytes (A12). Scenarios need the larger
 * limit.
 */
export function bodyLimitOf(address: AddressId): number {
  return addresses[address].api === 'control' ? controlBodyLimit : serviceBodyLimit
}

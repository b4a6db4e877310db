import type { AddressId } from '../contract/addresses.js'
import type { JsonText } from '../contract/json-text.js'
import type { EventStream } from '../control/control-operation.js'

/** A request as every transport hands it in. */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string
  readonly address: AddressId
  /** Below the base address, as it was sent, without the query: `/inventory/7`. */
  readonly path: string
  /** After the `?`, as it was sent; empty without one. */
  readonly query: string
  /** The value of a header by its lower-case name; several are joined with `, `. */
  header(name: string): string | undefined
  /** Hands over each header, its name in lower case; several of a name may be joined. */
  forEachHeader(visit: (name: string, value: string) => void): void
  /** The whole body; `too-large` when it is past the limit (A12); undefined without one. */
  readonly body: Uint8Array | 'too-large' | undefined
}

/** A response as every transport sends it. */
export interface ApiResponse {
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** None for 204. A transport leaves it out of the answer to HEAD. */
  readonly body: JsonText | undefined
  /** What the transport does to the answer on its way. */
  readonly fault?: TransportFault
  /** In place of a body: text that comes as it happens, until the client leaves. */
  readonly stream?: EventStream
}

/** The connection breaks before anything is sent, or after a share of the body's bytes. */
export type TransportFault =
  | { readonly type: 'reset' }
  | { readonly type: 'truncate'; readonly share: number }

const serviceBodyLimit = 65_536
const controlBodyLimit = 8 * 1_048_576

/** The largest body that an address takes, in bytes (A12); a scenario may be larger. */
export function bodyLimitOf(address: AddressId): number {
  return isControl(address) ? controlBodyLimit : serviceBodyLimit
}

/** Whether an address is for steering a world, not part of the service. */
export function isControl(address: AddressId): boolean {
  return address === 'control' || address === 'stagingControl'
}

import type { AddressId, Environment } from '../../service/addresses.js'

/** Properties of a request, as bits of {@link FactFields.flags}. */
export const factFlags = {
  /** The request was charged, or rejected because a window was exhausted or the key was banned. */
  metered: 1,
  /** A fault closed the connection before or within the response. */
  lost: 2,
  /** A preference or a fault has determined the status. */
  simulated: 4,
  /** The request had a body of a type that the operation accepts. */
  jsonType: 8,
  /** The request had a body of another type, or of none, at an operation that takes a body. */
  otherType: 16,
  /** The path names a pet that exists, and whose id a JavaScript number cannot represent. */
  longId: 32,
  /** The path names no pet, but the id that results from reading a longer one as a number. */
  roundedId: 64,
  /** The operation is deprecated. */
  deprecated: 128,
  /** The sunset of the operation had passed. */
  afterSunset: 256,
  idempotencyKey: 512,
  /** The request has changed the data. */
  changed: 1_024,
  /** The client had received the response to an identical request that failed. */
  repeated: 2_048,
} as const

/**
 * What is known of a request in addition to its journal entry. As JSON can represent it: stores
 * contain it. A tuple, because it is stored without the names.
 */
export type FactFields = readonly [
  /** Account of the key: a plan, or a key that the scenario lists. Null without a valid key. */
  account: string | null,
  /** Time at which its processing began, on the clock of the world, in milliseconds. */
  arrivedAtMs: number,
  /** Time that the client waited for the response, in milliseconds, including simulated delays. */
  waitedMs: number,
  /** Hash of method, path, query, preferences and body: an integer below 2^48. */
  fingerprint: number,
  /** The rate limit that the response stated. */
  limit: number,
  remaining: number,
  /** Null for a response without `Retry-After`. */
  retryAfterSeconds: number | null,
  /** Number of changes to the data of the world before the response, modulo 2^16. */
  revision: number,
  /** Sum of `factFlags`. */
  flags: number,
]

/** The fields of journal entries that many requests have in common. */
export interface SharedFields {
  /** Masked. */
  readonly apiKey: string | undefined
  readonly environment: Environment
  readonly address: AddressId | undefined
  readonly operation: string | undefined
  readonly method: string
  readonly status: number
  readonly aborted: boolean
  readonly code: string | undefined
  readonly isUserHandled: boolean
}

/** The fields of a journal entry that a fact needs. */
export interface EntryFields extends SharedFields {
  readonly id: number
  readonly atMs: number
}

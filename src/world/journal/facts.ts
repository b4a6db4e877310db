import type { RecordedEntry } from './entry.js'

/** Boolean facts about a request. An absent field is false. */
export interface FactTraits {
  /** The request was charged, or rejected because a window was exhausted or the key was banned. */
  metered?: true
  /** The client disconnected before the response. */
  aborted?: true
  /** A fault closed the connection before the response, or in the middle of it. */
  lost?: true
  /** A preference or a fault has determined the status. */
  simulated?: true
  /** A handler of the user responded. */
  userHandled?: true
  /** The request had a body of a type that the operation accepts. */
  jsonType?: true
  /** The request had a body of another type or without a type, and its operation takes a body. */
  otherType?: true
  /** The path names a pet that exists, and whose id a JavaScript number cannot represent. */
  longId?: true
  /** The path names no pet. Its id is the rounded id of a pet, as a client reads it as a number. */
  roundedId?: true
  /** The operation is deprecated. */
  deprecated?: true
  /** The sunset of the operation had passed. */
  afterSunset?: true
  idempotencyKey?: true
  /** The request has changed the data. */
  changed?: true
}

/** A connection in the facts of its requests. */
export interface FactConnection {
  /** Unique among all connections, also of other processes. */
  readonly number: number
  /** Number of the server. Only the orders of one server can be compared. */
  readonly server: number
  /** Position of its end in the order of arrivals and ends. Undefined while it is open. */
  ended?: number
}

/**
 * A request in the form that reports assess, as JSON, with the field names of its journal entry. Ids
 * have the order of the responses. Times are on the clock of the world.
 */
export interface RequestFact
  extends Pick<RecordedEntry, 'id' | 'atMs' | 'method' | 'status'>,
    Partial<Pick<RecordedEntry, 'apiKey' | 'operation' | 'code'>> {
  /** Order of the arrival: id of the latest entry whose response was sent before. */
  readonly afterId: number
  /** The connection. Undefined in process. */
  readonly connection?: FactConnection | undefined
  /** Position in the order of arrivals and ends of connections of its server. Undefined in process. */
  readonly arrival?: number | undefined
  /** Time at which its processing began, in milliseconds since the epoch. */
  readonly arrivedAtMs: number
  /** Time of the response on the clock of the machine, which no test stops or moves. */
  readonly realAtMs: number
  /** Time that the client waited for the response, in milliseconds, including simulated delays. */
  readonly waitedMs: number
  /** Account of the key: a plan, or a listed key of the scenario. Null without a valid key. */
  readonly account: string | null
  /**
   * Identifies repetitions of a request: method, address, path, query and body, without the
   * preferences, which are not part of the service. Long parts are shortened, and credentials masked.
   * No response contains it.
   */
  readonly text: string
  /** The rate limit that the response stated. */
  readonly limit: number
  readonly remaining: number
  /** Undefined for a response without `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
  /** Number of changes to the data of the world before the response. */
  readonly revision: number
  readonly traits: FactTraits
}

/** The facts of a world, as JSON can represent them. */
export interface FactState {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
  readonly latest: readonly RequestFact[]
}

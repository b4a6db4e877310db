import type { RecordedEntry } from './entry.js'

/** What is true of a request. An absent field is false. */
export interface FactTraits {
  /** The request was charged, or rejected because a window was exhausted or the key was banned. */
  metered?: true
  /** The client disconnected before the response. */
  aborted?: true
  /** A fault closed the connection before or within the response. */
  lost?: true
  /** A preference or a fault has determined the status. */
  simulated?: true
  /** A handler of the user responded. */
  userHandled?: true
  /** The request had a body of a type that the operation accepts. */
  jsonType?: true
  /** The request had a body of another type, or of none, at an operation that takes a body. */
  otherType?: true
  /** The path names a pet that exists, and whose id a JavaScript number cannot represent. */
  longId?: true
  /** The path names no pet, but the id that results from reading a longer one as a number. */
  roundedId?: true
  /** The operation is deprecated. */
  deprecated?: true
  /** The sunset of the operation had passed. */
  afterSunset?: true
  idempotencyKey?: true
  /** The request has changed the data. */
  changed?: true
}

/** A connection as the facts of its requests show it. */
export interface FactConnection {
  /** Unique among all connections, also of other processes. */
  readonly number: number
  /** Number of the server. Only the orders of one server can be compared. */
  readonly server: number
  /** Place of its end in the order of arrivals and ends. Undefined while it is open. */
  ended?: number
}

/**
 * One request as a report assesses it, as JSON can represent it, with the same fields as its journal
 * entry. Ids have the order in which the responses are sent. Times are on the clock of the world.
 */
export interface RequestFact
  extends Pick<RecordedEntry, 'id' | 'atMs' | 'method' | 'status'>,
    Partial<Pick<RecordedEntry, 'apiKey' | 'operation' | 'code'>> {
  /** Order of the arrival: id of the latest entry whose response had been sent then. */
  readonly afterId: number
  /** The connection. Undefined in process. */
  readonly connection?: FactConnection | undefined
  /** Place in the order of arrivals and ends of connections of its server. Undefined in process. */
  readonly arrival?: number | undefined
  /** Time at which its processing began, in milliseconds since the epoch. */
  readonly arrivedAtMs: number
  /** Time of the response on the clock of the machine, which no test stops or moves. */
  readonly realAtMs: number
  /** Time that the client waited for the response, in milliseconds, including simulated delays. */
  readonly waitedMs: number
  /** Account of the key: a plan, or a key that the scenario lists. Null without a valid key. */
  readonly account: string | null
  /**
   * What a client repeats if it sends the request again: method, address, path, query and body. Not
   * the preferences, which are not part of the service. Long parts are shortened, and credentials
   * masked. No response contains it.
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

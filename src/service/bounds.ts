import { Problem } from './errors.js'

// Every limit that protects the process. A test compares them with SECURITY.md and docs/limits.md. They
// are not limits of the service.

const kibibyte = 1_024
const mebibyte = 1_048_576

/** Default of `maxMemory`: the estimated size of all worlds, in bytes. */
export const worldsBytes = 512 * mebibyte
/** Default of `maxWorldMemory`: the estimated size of one world, in bytes. */
export const worldBytes = 16 * mebibyte
/** Estimated size of a world with the data of its scenario, in bytes. */
export const emptyWorldBytes = 16 * kibibyte
/** Share of `maxWorldMemory` for the entries of a journal, and for the facts for reports. */
export const journalShare = 1 / 4
/** Default of `journalCapacity`: number of entries of the journal of one world. */
export const journalEntries = 500
/** Number of requests of one world that a report assesses. */
export const reportedRequests = 10_000
/** Default of `retainMs`: time for which a world that another client used is not evicted. */
export const retainMs = 900_000
/** Entries of one list of a scenario; pets of one world, and orders. */
export const listEntries = 20_000
/** Default of `limit` for a list of the control API. */
export const pageSize = 2_000
/** Messages of one world (A23). */
export const messagesPerWorld = 1_000
/** Size of the messages of one world, in bytes (A23). */
export const messageBytes = 4 * mebibyte

/** Size of a body of a request to the service, in bytes (A12). Beyond it: 413. */
export const serviceBodyBytes = 64 * kibibyte
/** Size of a body of a control request, in bytes. Scenarios need the larger limit. Beyond it: 413. */
export const controlBodyBytes = 8 * mebibyte

/** Nesting of a JSON body, and of JSON in a scenario. Beyond it: 400. */
export const maximumDepth = 64
/**
 * Number of commas and opening brackets in a body, which grows with its number of values. 20,000 pets
 * and 20,000 orders, each with all fields, have 400,000. Measured on Node.js 20: 500,000 values occupy at
 * most 60 MB, and 8 MiB without this limit up to 500 MB. Beyond it: 400.
 */
export const maximumJsonValues = 500_000
/** Different field names in a body. Parsing a new name takes 2 µs (measured). Beyond it: 400. */
export const maximumJsonNames = 10_000
/** Values in one record of a scenario, and in all its other fields together. Beyond it: 400. */
export const recordValues = 20_000
/** Characters in the names and strings of the same part. Beyond it: 400. */
export const recordCharacters = mebibyte

/** Clients whose preparations may wait or be in progress. Beyond it: 503. */
export const preparingClients = 9
/** Unsent bytes of one event stream. Beyond it, the connection is closed. */
export const streamBytes = mebibyte

/** Share of a total that one client may use. */
export const clientShare = 1 / 4
/** Share of a total that is reserved for clients that use less than `smallShare` of the total. */
export const reservedShare = 1 / 8
export const smallShare = 1 / 64

/** Limits that protect the HTTP server. They are not limits of the service. */
export class HttpLimits {
  // The defaults are for one machine with many clients; a test suite on one machine stays below them.

  /** Length of a request target in characters. Beyond it: 400 `malformed_request`. */
  readonly targetLength: number = 4_096
  /** Size of a header section in bytes. Beyond it: 431 `headers_too_large`. */
  readonly headerBytes: number = 16 * kibibyte
  /** Number of header lines in a request. Beyond it: 431 `headers_too_large`. */
  readonly headerCount: number = 100
  /**
   * Maximum size of a rejected body that is drained to keep the connection open, in bytes. Beyond
   * it, the connection is closed after the response.
   */
  readonly bodyBytes: number = mebibyte
  /**
   * Open connections. Beyond it, a connection of the client with the most connections is closed, if
   * possible an idle one.
   */
  readonly connections: number = 10_000
  /**
   * Open connections per client address; not applied behind trusted proxies. Beyond it: 503
   * `sandbox_capacity`, and the connection is closed.
   */
  readonly clientConnections: number = 2_000
  /**
   * Requests on one connection that wait for earlier responses. Beyond it, the connection is closed.
   */
  readonly pipelinedRequests: number = 32
  /**
   * Bytes of the bodies that are being received or processed; a client may use a quarter. Beyond it:
   * 503 `sandbox_capacity`.
   */
  readonly receivedBytes: number = 32 * mebibyte
  /**
   * Bytes of the headers of requests that wait for earlier responses or for the end of a delay; a
   * client may use a quarter. Beyond it, the connection is closed, or a delayed request gets 503
   * `sandbox_capacity`.
   */
  readonly waitingBytes: number = 64 * mebibyte
  /**
   * Bytes of responses that have not been sent. Beyond it, the connections of the client with the most
   * are closed.
   */
  readonly unsentBytes: number = 64 * mebibyte
  /** Open event streams. Beyond it: 503 `sandbox_capacity`. */
  readonly streams: number = 2_000
  /** Open event streams per client. Beyond it: 503 `sandbox_capacity`. */
  readonly clientStreams: number = 100
  /** New worlds per minute and client. Beyond it: 503 `sandbox_capacity`. */
  readonly clientWorlds: number = 60_000
  /** Control requests per minute and client. Beyond it: 503 `sandbox_capacity`. */
  readonly clientControlRequests: number = 60_000
  /**
   * Estimated size of the worlds that one client created, in bytes. Beyond it, its least recently used
   * worlds are evicted, and then: 503 `sandbox_capacity`. Default: half of `maxMemory`.
   */
  readonly clientMemory: number | undefined = undefined
  /**
   * Number of reverse proxies in front of the server that add the address of their client to
   * `X-Forwarded-For`, and the requested URL to `X-Forwarded-Proto`, `X-Forwarded-Host` and
   * `X-Forwarded-Prefix`. 0: the headers are ignored.
   */
  readonly trustedProxies: number = 0
  /** Time for a header section to arrive, in milliseconds. Beyond it: 408 `request_timeout`. */
  readonly headersTimeoutMs: number = 10_000
  /** Time for a whole request to arrive, in milliseconds. Beyond it: 408 `request_timeout`. */
  readonly requestTimeoutMs: number = 30_000
  /**
   * Time for which a client may read nothing of a ready response, in milliseconds. Beyond it, the
   * connection is closed. Not applied to event streams.
   */
  readonly unreadTimeoutMs: number = 30_000
  /** Time that a connection stays open between two requests, in milliseconds. */
  readonly keepAliveTimeoutMs: number = 5_000
  /** Time without any traffic after which a connection is closed, in milliseconds. */
  readonly idleTimeoutMs: number = 300_000
  /** Time for a rejected client to read the response before the connection is closed, in milliseconds. */
  readonly lingerMs: number = 1_000
}

/** Limits that differ from the defaults. */
export type HttpLimitOptions = {
  readonly [Name in keyof HttpLimits]?: HttpLimits[Name] | undefined
}

/** Adds the defaults for all limits that are omitted or undefined. */
export function toHttpLimits(options: HttpLimitOptions): HttpLimits {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.assign(new HttpLimits(), Object.fromEntries(defined))
}

/** Creates the problem of a request beyond a limit that protects the server. */
export function createCapacityProblem(limit: string, retryAfterSeconds: number): Problem {
  const message = `the sandbox is at its limit of ${limit}; this is not a limit of the service`
  return new Problem('sandbox_capacity', message, retryAfterSeconds)
}

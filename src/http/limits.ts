/**
 * Limits that protect the HTTP server. They are not limits of the service, and a response to a
 * request beyond them has no rate-limit headers.
 */
export interface HttpLimits {
  /** Length of a request target in characters. Beyond it: 400 `malformed_request`. */
  readonly targetLength: number
  /** Size of a header section in bytes. Beyond it: 431 `headers_too_large`. */
  readonly headerBytes: number
  /** Number of header lines in a request. Beyond it: 431 `headers_too_large`. */
  readonly headerCount: number
  /**
   * Maximum size of a rejected body that is drained to keep the connection open, in bytes. Beyond
   * it, the connection is closed after the response.
   */
  readonly bodyBytes: number
  /** Total size of all bodies in memory, in bytes. Beyond it: 503 `sandbox_capacity`. */
  readonly heldBodyBytes: number
  /**
   * Open connections. Beyond it: 503 `sandbox_capacity`, and the connection is closed. Beyond twice
   * as many, connections are closed without a response.
   */
  readonly connections: number
  /** Time for a header section to arrive, in milliseconds. Beyond it: 408 `request_timeout`. */
  readonly headersTimeoutMs: number
  /** Time for a whole request to arrive, in milliseconds. Beyond it: 408 `request_timeout`. */
  readonly requestTimeoutMs: number
  /** Time that a connection stays open between two requests, in milliseconds. */
  readonly keepAliveTimeoutMs: number
  /** Time without any traffic after which a connection is closed, in milliseconds. */
  readonly idleTimeoutMs: number
  /** Time for a rejected client to read the response before the connection is closed, in milliseconds. */
  readonly lingerMs: number
}

/** Limits that differ from the defaults. */
export type HttpLimitOptions = {
  readonly [Name in keyof HttpLimits]?: HttpLimits[Name] | undefined
}

/** Defaults for one machine with many clients. */
export const defaultHttpLimits: HttpLimits = {
  targetLength: 4_096,
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 1_048_576,
  heldBodyBytes: 134_217_728,
  connections: 1_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  idleTimeoutMs: 300_000,
  lingerMs: 1_000,
}

/** Adds the defaults for all limits that are omitted or undefined. */
export function toHttpLimits(options: HttpLimitOptions): HttpLimits {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaultHttpLimits, ...Object.fromEntries(defined) }
}

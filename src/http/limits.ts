/**
 * What the HTTP sandbox takes before it protects itself. None of it is a limit of the service, and
 * no answer to it carries the headers of a rate limit.
 */
export interface HttpLimits {
  /** Characters of a request target; past it 400 `malformed_request`. */
  readonly targetLength: number
  /** Bytes of a header section; past it 431 `headers_too_large`. */
  readonly headerBytes: number
  /** Header lines of a request; past it 431 `headers_too_large`. */
  readonly headerCount: number
  /**
   * Bytes that are read of a body where its address takes no more; past it the connection is closed
   * with the answer.
   */
  readonly bodyBytes: number
  /** Bytes of all bodies that are held at once; past it 503 `sandbox_capacity`. */
  readonly heldBodyBytes: number
  /**
   * Open connections; a further one is answered 503 `sandbox_capacity` and closed, and past twice
   * as many it is dropped unanswered.
   */
  readonly connections: number
  /** How long a header section may take to arrive; past it 408 `request_timeout`. */
  readonly headersTimeoutMs: number
  /** How long a whole request may take to arrive; past it 408 `request_timeout`. */
  readonly requestTimeoutMs: number
  /** How long a connection may stay open between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How long nothing may pass on a connection, in the middle of an answer too; past it it is cut. */
  readonly idleTimeoutMs: number
  /** How long a client that is refused may take to read why before its connection is cut. */
  readonly lingerMs: number
}

/** The limits that suit one machine with many clients. */
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

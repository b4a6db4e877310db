/** HTTP status of responses with each `code` that the sandbox sends (assumption A01; spec §7 lists none). */
export const errorCodes = {
  invalid_json: { status: 400 },
  missing_field: { status: 400 },
  invalid_field: { status: 400 },
  invalid_scenario: { status: 400 },
  invalid_parameter: { status: 400 },
  unsupported_media_type: { status: 400 },
  malformed_request: { status: 400 },
  missing_api_key: { status: 401 },
  invalid_api_key: { status: 401 },
  cross_origin_denied: { status: 403 },
  control_denied: { status: 403 },
  pet_not_found: { status: 404 },
  route_not_found: { status: 404 },
  resource_not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  request_timeout: { status: 408 },
  resource_conflict: { status: 409 },
  operation_gone: { status: 410 },
  payload_too_large: { status: 413 },
  unsupported_content_encoding: { status: 415 },
  host_not_allowed: { status: 421 },
  headers_too_large: { status: 431 },
  rate_limit_exceeded: { status: 429 },
  api_key_banned: { status: 429 },
  internal_error: { status: 500 },
  service_unavailable: { status: 503 },
  sandbox_unavailable: { status: 503 },
  sandbox_capacity: { status: 503 },
} as const satisfies Record<string, { readonly status: number }>

/** A value of `code` in an Error body. */
export type ErrorCode = keyof typeof errorCodes

/** Every code of the catalogue. */
export const allErrorCodes = Object.keys(errorCodes) as ErrorCode[] // the keys of a const table

/**
 * Returns the default code of an error status: the first candidate with this status. For 401 it is
 * `invalid_api_key`, because requests without a key are rejected earlier.
 */
export function defaultCode(
  status: number,
  candidates: readonly ErrorCode[],
): ErrorCode | undefined {
  const codes = candidates.filter((code) => errorCodes[code].status === status)
  return codes.find((code) => code === 'invalid_api_key') ?? codes[0]
}

/** The Error body of spec §2. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** An error with a code of the catalogue. The engine converts it to an Error body. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** HTTP status of the response. */
  readonly status: number

  /** @param retryAfterSeconds Value of the `Retry-After` header; undefined for none. */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
    this.status = errorCodes[code].status
  }

  /** Returns the Error body. */
  toBody(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status }
  }
}

/** Creates the problem for a bug in the sandbox. The details are only logged. */
export function createInternalProblem(): Problem {
  return new Problem('internal_error', 'a bug in the sandbox; its log has the details')
}

/**
 * Every value of `code` that the sandbox answers (assumption A01; spec §7 shows none), with the
 * HTTP status that carries it and what it means.
 */
export const errorCodes = {
  invalid_json: { status: 400, meaning: 'The body is no valid JSON in UTF-8.' },
  missing_field: { status: 400, meaning: 'The body lacks a required field.' },
  invalid_field: { status: 400, meaning: 'A field of the body has a value that is not allowed.' },
  invalid_scenario: { status: 400, meaning: 'A scenario is unknown or does not fit.' },
  invalid_parameter: {
    status: 400,
    meaning: 'A path or query parameter or a preference is not allowed.',
  },
  unsupported_media_type: { status: 400, meaning: 'The body is not sent as application/json.' },
  malformed_request: { status: 400, meaning: 'The request is no well-formed HTTP request.' },
  missing_api_key: { status: 401, meaning: 'No bearer token is in the Authorization header.' },
  invalid_api_key: { status: 401, meaning: 'The bearer token is no API key of this sandbox.' },
  cross_origin_denied: {
    status: 403,
    meaning: 'A page of another origin may not steer a world.',
  },
  pet_not_found: { status: 404, meaning: 'The world has no pet with this petId.' },
  route_not_found: { status: 404, meaning: 'No operation has this path.' },
  resource_not_found: { status: 404, meaning: 'The world has no such resource.' },
  method_not_allowed: { status: 405, meaning: 'The path has operations, none with this method.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  resource_conflict: { status: 409, meaning: 'The resource exists already.' },
  operation_gone: { status: 410, meaning: 'The deprecated operation is past its sunset date.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than the sandbox takes.' },
  headers_too_large: {
    status: 431,
    meaning: 'The header section is larger than the sandbox takes.',
  },
  rate_limit_exceeded: { status: 429, meaning: 'A rate-limit window of the key is used up.' },
  api_key_banned: {
    status: 429,
    meaning: 'The key went on during a 429 and is banned for a time.',
  },
  internal_error: { status: 500, meaning: 'A defect of the sandbox.' },
  sandbox_capacity: { status: 503, meaning: 'The sandbox protects itself: it is full.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCodes

/** The Error body of spec §2. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/**
 * A failure that the contract names. Thrown anywhere below the pipeline, made into an Error body
 * in one place.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message)
    this.status = errorCodes[code].status
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status }
  }
}

/** What a defect of the sandbox is answered with; the defect itself goes to the log. */
export function createInternalProblem(): Problem {
  return new Problem('internal_error', 'a defect of the sandbox; its log has the details')
}

import type { ErrorCode } from '../../../service/errors.js'

/**
 * Why a request of a remote handle failed: a code of the control API, or one of the handle.
 *
 * - `unreachable`: there was no complete response.
 * - `timeout`: there was no complete response in time.
 * - `foreign_response`: the response is not one of a sandbox of this version.
 * - `version_mismatch`: the sandbox has another major version.
 * - `closed`: the handle is closed.
 */
export type RemoteErrorCode =
  | ErrorCode
  | 'unreachable'
  | 'timeout'
  | 'foreign_response'
  | 'version_mismatch'
  | 'closed'

/** The details of a {@link RemoteError}. */
export interface RemoteErrorDetails {
  /** What to do, without a full stop. */
  readonly advice: string
  /** HTTP status of the response; undefined if there was none. */
  readonly status?: number | undefined
  /** Value of the `Retry-After` header; undefined if there was none. */
  readonly retryAfterSeconds?: number | undefined
}

/** A request of a remote handle failed. The message says what to do, and contains no whole key. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  /** What to do. */
  readonly advice: string
  /** HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** Value of the `Retry-After` header; undefined if there was none. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    { advice, status, retryAfterSeconds }: RemoteErrorDetails,
  ) {
    super(`${message}; ${advice}`)
    this.advice = advice
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const wantedUrl = 'url must be the root of a sandbox, such as http://127.0.0.1:4010'

const wantedKey =
  'apiKey must be a key of this sandbox, such as sbx_free; petstore-sandbox key prints one'

/** What to do after an error of the control API. */
const advices: Readonly<Partial<Record<string, string>>> = {
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied:
    'connect with the key of a world of your own, or with the token of the sandbox; fork() creates a world',
  cross_origin_denied:
    'connect from Node.js, such as a task of the test runner, or serve the page and the sandbox at one origin',
  host_not_allowed: 'start the sandbox with --allowed-hosts or --public-url',
  invalid_scenario: 'control.listScenarios() lists the known scenarios',
  pet_not_found: 'db.pets.list() lists the pets',
  resource_not_found: 'db.orders.list() lists the orders',
  resource_conflict: 'use another id',
  route_not_found: wantedUrl,
  method_not_allowed: wantedUrl,
  sandbox_unavailable: 'try again when the store of the sandbox can be reached',
  sandbox_capacity: 'remove records or close other clients of the sandbox',
  internal_error: 'see the log of the sandbox',
}

/** Returns what to do after an error of the control API. */
export function toAdvice(code: string): string {
  const found = Object.hasOwn(advices, code) ? advices[code] : undefined
  return found ?? 'correct the request'
}

/** Creates the error for a response that no sandbox of this version sends. */
export function createForeignError(
  url: string,
  found: string,
  status?: number,
  advice = wantedUrl,
): RemoteError {
  const message = `the server at ${url} is not a petstore-sandbox of this version, found ${found}`
  return new RemoteError('foreign_response', message, { advice, status })
}

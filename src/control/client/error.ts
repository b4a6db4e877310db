import type { ErrorCode } from '../../service/errors.js'

/**
 * Why a request of a remote handle failed: a code of the control API, or a code of the handle.
 *
 * - `unreachable`: there was no complete response.
 * - `timeout`: there was no complete response in time.
 * - `foreign_response`: the response is not from a sandbox of this version.
 * - `version_mismatch`: the sandbox has another major version.
 * - `closed`: the handle is closed, or its signal was aborted.
 */
export type RemoteErrorCode =
  | ErrorCode
  | 'unreachable'
  | 'timeout'
  | 'foreign_response'
  | 'version_mismatch'
  | 'closed'

/** A request of a remote handle failed. The message says what to do, and contains no whole key. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  /** What to do. */
  declare readonly advice: string
  /** HTTP status of the response; undefined if there was none. */
  declare readonly status: number | undefined
  /** Value of the `Retry-After` header; undefined if there was none. */
  declare readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    details: Pick<RemoteError, 'advice'> & Partial<RemoteError>,
  ) {
    super(message)
    Object.assign(this, details)
  }
}

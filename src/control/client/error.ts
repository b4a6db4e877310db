import type { ErrorCode } from '../../service/errors.js'
import { createMask } from '../../service/mask.js'
import { readErrorField } from '../../service/validation/message.js'

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
  /** What to do. */
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
  declare readonly advice: string
  /** HTTP status of the response; undefined if there was none. */
  declare readonly status: number | undefined
  /** Value of the `Retry-After` header; undefined if there was none. */
  declare readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    details: RemoteErrorDetails,
  ) {
    super(message)
    Object.assign(this, details)
  }
}

/** Returns what was found instead of a response of a sandbox. */
export function describeForeign({ status, headers, type }: Response): string {
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400)
  return isRedirect
    ? `a redirect to ${headers.get('Location') ?? 'another URL'}`
    : `${status} with ${headers.get('Content-Type') ?? 'no content type'}`
}

/** Returns the system's code for a missing response, such as ECONNREFUSED, or a message. */
export function describeMissing(error: unknown): string {
  // fetch wraps the error of the system.
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return (
    readErrorField(cause, 'code') ||
    readErrorField(cause, 'message') ||
    readErrorField(error, 'message') ||
    String(error)
  )
}

/** Masks the key and the token in a message. A server or a proxy may repeat them. */
export function maskCredentials(
  text: string,
  { apiKey, token }: { readonly apiKey: string; readonly token?: string | undefined },
): string {
  const masked = createMask([apiKey])(text)
  return token === undefined ? masked : masked.replaceAll(token, '…')
}

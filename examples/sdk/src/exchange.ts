import {
  ConnectionError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  ResponseError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from './errors.js'
import { readRetryAfterMs } from './headers.js'
import { parseJson } from './json.js'

const errorsByStatus: Readonly<Record<number, typeof ResponseError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  404: NotFoundError,
  410: GoneError,
  429: RateLimitError,
}

/** A response with its complete body. */
export interface Exchange {
  readonly operation: string
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface ExchangeOptions {
  /** Name of the operation, for the messages of errors. */
  readonly operation: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Sends one request and reads the body. The time limit includes both.
 *
 * @throws {TimeoutError | ConnectionError} Or the reason of the caller's signal.
 */
export async function exchange(
  url: string,
  init: RequestInit,
  { operation, timeoutMs, signal: callerSignal }: ExchangeOptions,
): Promise<Exchange> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout
  try {
    const response = await fetch(url, { ...init, signal })
    const { ok, status, headers } = response
    return { operation, ok, status, headers, text: await response.text() }
  } catch (cause) {
    callerSignal?.throwIfAborted()
    if (timeout.aborted) {
      throw new TimeoutError(`${operation}: no response in ${timeoutMs} ms`, { cause })
    }
    throw new ConnectionError(`${operation}: no complete response`, { cause })
  }
}

/** Returns the parsed body. @throws {ResponseError} If the status is an error. */
export function readBody(response: Exchange, nowMs: number): unknown {
  const { operation, ok, status, headers, text } = response
  if (ok) return parseJson(text)
  const { code, message } = readErrorBody(text)
  const ErrorClass = errorsByStatus[status] ?? (status >= 500 ? ServerError : ResponseError)
  const description = `${operation}: ${status} ${code ?? 'without a code'}: ${message ?? 'no message'}`
  throw new ErrorClass(description, status, code, readRetryAfterMs(headers, nowMs))
}

/** The body of an error can be HTML from a proxy. */
function readErrorBody(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

import type { Clock } from './clock.js'
import {
  ConnectionError,
  RateLimitError,
  ResponseError,
  ServerError,
  TimeoutError,
} from './errors.js'

export interface RetryOptions {
  /** Maximum number of retries of one request. */
  readonly retries: number
  /** Upper limit of the back-off before the first retry, in milliseconds. It doubles each time. */
  readonly backOffMs: number
  /** Maximum of the back-off, in milliseconds. */
  readonly maximumBackOffMs: number
  /** Longest `Retry-After` to wait for, in milliseconds. Beyond it, the request fails at once. */
  readonly maximumRetryAfterMs: number
}

export const defaultRetry: RetryOptions = {
  retries: 3,
  backOffMs: 500,
  maximumBackOffMs: 8_000,
  maximumRetryAfterMs: 120_000,
}

/** What {@link retry} needs to know of a request. */
export interface RetryContext {
  readonly options: RetryOptions
  readonly clock: Clock
  /** Returns a number from 0 to less than 1. */
  readonly random: () => number
  /** Whether the service may receive the request twice. */
  readonly isIdempotent: boolean
  readonly signal: AbortSignal | undefined
}

/** Sends a request until it succeeds, it fails for good, or the retries are used up. */
export async function retry<T>(send: () => Promise<T>, context: RetryContext): Promise<T> {
  const { options, clock, isIdempotent, signal } = context
  for (let retries = 0; ; retries += 1) {
    try {
      return await send()
    } catch (error) {
      if (retries === options.retries || !isRetryable(error, isIdempotent)) throw error
      const retryAfterMs = error instanceof ResponseError ? (error.retryAfterMs ?? 0) : 0
      if (retryAfterMs > options.maximumRetryAfterMs) throw error
      await clock.sleep(retryAfterMs + toBackOffMs(retries, context), signal)
    }
  }
}

/** Returns half of the exponential back-off, and a random part of the other half. */
function toBackOffMs(retries: number, { options, random }: RetryContext): number {
  const halfMs = Math.min(options.backOffMs * 2 ** retries, options.maximumBackOffMs) / 2
  return halfMs + random() * halfMs
}

/** A 429 was not processed. After any other failure, the service may have processed the request. */
function isRetryable(error: unknown, isIdempotent: boolean): boolean {
  if (error instanceof RateLimitError) return true
  return isIdempotent && isServiceFailure(error)
}

/** Whether the service failed or could not be reached. */
export function isServiceFailure(error: unknown): boolean {
  return (
    error instanceof ServerError ||
    error instanceof ConnectionError ||
    error instanceof TimeoutError
  )
}

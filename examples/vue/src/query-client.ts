import { QueryClient } from '@tanstack/vue-query'
import { ServiceError } from './service.js'

/** Retries after the time in `Retry-After`. By default, TanStack Query ignores this header. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && mayRetry(error),
        retryDelay: (failures, error) => toRetryAfter(error) ?? 1000 * 2 ** failures,
      },
    },
  })
}

/** Whether the same request can succeed later: not if the service has rejected it for its content. */
function mayRetry(error: Error): boolean {
  return !(error instanceof ServiceError) || error.status >= 500 || error.status === 429
}

function toRetryAfter(error: Error): number | undefined {
  return error instanceof ServiceError ? error.retryAfterMs : undefined
}

import { QueryClient } from '@tanstack/react-query'
import { ServiceError } from './service.js'

/**
 * By default, TanStack Query retries every error three times, and again when the window gets the
 * focus. After a 429, these requests are rejected too, and lead to a ban of the key.
 */
export function createQueryClient(): QueryClient {
  const mayRefetch = ({ state }: { state: { error: Error | null } }) => !mustWait(state.error)
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && !isRejection(error),
        retryDelay: (failures, error) => toRetryAfter(error) ?? 1000 * 2 ** failures,
        refetchOnWindowFocus: mayRefetch,
        refetchOnReconnect: mayRefetch,
        refetchOnMount: mayRefetch,
      },
    },
  })
}

/** Whether the service has rejected a request: it would reject the same request again. */
function isRejection(error: Error): boolean {
  return error instanceof ServiceError && error.status < 500
}

function toRetryAfter(error: Error): number | undefined {
  return error instanceof ServiceError ? error.retryAfterMs : undefined
}

function mustWait(error: Error | null): boolean {
  return error instanceof ServiceError && error.retryAtMs > Date.now()
}

import { environmentManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import { read } from './response-error.js'

export const title = 'TanStack Query'
export const packageNames = ['@tanstack/query-core']
/** It repeats queries; mutations are sent once. */
export const onlyReads = true

const plain = {}

// #region configured
const configured = {
  queries: {
    retry: 3,
    retryDelay: (failures, { retryAfterMs }) =>
      retryAfterMs ?? Math.min(1000 * 2 ** failures, 30_000),
  },
}
// #endregion

export const variants = { plain, configured }

/** Observes a query for each URL, as `useQuery` does. Resolves when none is fetching. */
export async function run(defaultOptions, urls, headers) {
  // Without a window, it assumes a server and does not retry.
  environmentManager.setIsServer(() => false)
  const client = new QueryClient({ defaultOptions })
  return Promise.all(
    urls.map(
      (url) =>
        new Promise((resolve) => {
          const options = { queryKey: [url], queryFn: () => read(url, headers) }
          const observer = new QueryObserver(client, options)
          observer.subscribe(({ status, error }) => {
            if (status === 'success') resolve(200)
            if (status === 'error') resolve(error.status)
          })
        }),
    ),
  )
}

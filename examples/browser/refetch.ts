import type { BrowserSandbox } from 'petstore-sandbox/browser'

/** The part of TanStack Query's `QueryClient` that is used. */
interface Queries {
  invalidateQueries(): Promise<void>
}

/** Refetches all queries when what they return has changed, other than by a request of the page. */
export function refetchOnChange(sandbox: BrowserSandbox, queryClient: Queries): () => void {
  return sandbox.onChange((_world, kinds) => {
    // A request of this page must not lead to the next one.
    if (kinds.has('requests')) return
    // Not after `faults` and `quota`: the refetch would use up a fault that is set for the user.
    if (kinds.has('start') || kinds.has('data') || kinds.has('clock')) {
      void queryClient.invalidateQueries()
    }
  })
}

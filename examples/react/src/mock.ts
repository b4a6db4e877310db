import type { QueryClient } from '@tanstack/react-query'
import { startSandbox } from 'petstore-sandbox/browser'

/** Mocks the service in this page. The page shows each change of what its world returns. */
export async function startMock(queryClient: QueryClient): Promise<void> {
  const sandbox = await startSandbox({
    scenarioFromUrl: true,
    expose: true,
    panel: true,
    quiet: true,
  })
  sandbox.onChange((_world, kinds) => {
    // A request of this page must not lead to the next one.
    if (kinds.has('requests')) return
    // Not after `faults` and `quota`: the refetch would use up a fault that is set for the user.
    if (kinds.has('start') || kinds.has('data') || kinds.has('clock')) {
      void queryClient.invalidateQueries()
    }
  })
}

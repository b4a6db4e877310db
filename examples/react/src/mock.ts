import type { QueryClient } from '@tanstack/react-query'
import { startSandbox } from 'petstore-sandbox/browser'

/** Mocks the service in this page. The page shows each change of its world. */
export async function startMock(queryClient: QueryClient): Promise<void> {
  const sandbox = await startSandbox({ scenarioFromUrl: true, expose: true, quiet: true })
  sandbox.onChange((_world, kinds) => {
    // A request of this page must not lead to the next one.
    if (!kinds.has('requests')) void queryClient.invalidateQueries()
  })
}

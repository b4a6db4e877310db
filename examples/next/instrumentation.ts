import type { ScenarioName } from 'petstore-sandbox/node'

/** Next.js calls this function once, when a server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.PETSTORE_MOCK !== '1') return
  const { setupServer } = await import('msw/node')
  const { createSandbox } = await import('petstore-sandbox/node')
  // An unknown name is rejected.
  const scenario = (process.env.PETSTORE_SCENARIO ?? 'default') as ScenarioName
  const sandbox = await createSandbox({ scenario })
  setupServer(...sandbox.handlers).listen({ onUnhandledFrame: 'bypass' })
}

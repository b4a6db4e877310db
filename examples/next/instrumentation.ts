import type { ScenarioName } from 'petstore-sandbox/server'

/** Next.js calls this function once, when a server starts. */
export async function register(): Promise<void> {
  const { NEXT_RUNTIME, PETSTORE_MOCK, PETSTORE_SCENARIO, PETSTORE_URL } = process.env
  if (NEXT_RUNTIME !== 'nodejs' || PETSTORE_MOCK !== '1' || !PETSTORE_URL) return
  const { createSandboxServer } = await import('petstore-sandbox/server')
  // An unknown name is rejected.
  const scenario = (PETSTORE_SCENARIO ?? 'default') as ScenarioName
  const server = await createSandboxServer({ scenario })
  const url = await server.listen({ port: Number(new URL(PETSTORE_URL).port) })
  // Port 0 is any free port.
  process.env.PETSTORE_URL = `${url}/v1`
}

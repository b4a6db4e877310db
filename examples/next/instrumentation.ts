/** Next.js calls this function once, when a server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.PETSTORE_MOCK !== '1') return
  const { setupServer } = await import('msw/node')
  const { createSandbox } = await import('petstore-sandbox/node')
  const sandbox = await createSandbox({ scenario: process.env.PETSTORE_SCENARIO ?? 'default' })
  setupServer(...sandbox.handlers).listen({ onUnhandledFrame: 'bypass' })
}

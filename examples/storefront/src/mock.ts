const sandboxUrl = import.meta.env.VITE_SANDBOX_URL

/** Where the service is. */
export const serviceUrls = sandboxUrl
  ? { api: `${sandboxUrl}/v1`, quickstart: `${sandboxUrl}/quickstart` }
  : { api: 'https://api.petstore.example/v1', quickstart: 'https://quickstart.petstore.example' }

/** What the switcher in the header offers, out of the scenarios that come with the sandbox. */
export const scenarios = [
  'default',
  'empty-store',
  'low-stock',
  'nearly-limited',
  'rate-limited',
  'banned-key',
  'sunset-soon',
  'sunset-passed',
  'flaky',
  'slow',
]

/** The scenario that the address of the page asks for. */
export const scenario = new URLSearchParams(location.search).get('scenario') ?? 'default'

/** Lets this page answer its own requests, unless it is told to use a sandbox over HTTP. */
export async function startMock(): Promise<void> {
  if (sandboxUrl) return
  const { startSandbox } = await import('petstore-sandbox/browser')
  await startSandbox({ scenarioFromUrl: true, expose: true, quiet: true })
}

const sandboxUrl = import.meta.env.VITE_SANDBOX_URL

/** Base URLs of the service. */
export const serviceUrls = sandboxUrl
  ? { api: `${sandboxUrl}/v1`, quickstart: `${sandboxUrl}/quickstart` }
  : { api: 'https://api.petstore.example/v1', quickstart: 'https://quickstart.petstore.example' }

/** Scenarios that the header of the page offers. */
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

/** The scenario in the URL of the page. */
export const scenario = new URLSearchParams(location.search).get('scenario') ?? 'default'

/** Mocks the service in this page, unless VITE_SANDBOX_URL names a sandbox over HTTP. */
export async function startMock(): Promise<void> {
  if (sandboxUrl) return
  const { startSandbox } = await import('petstore-sandbox/browser')
  await startSandbox({ scenarioFromUrl: true, expose: true, quiet: true })
}

import type { MockWorld } from './mock/world.js'

const sandboxUrl = import.meta.env.VITE_SANDBOX_URL

/** Base URLs of the service. */
export const serviceUrls = sandboxUrl
  ? { api: `${sandboxUrl}/v1`, quickstart: `${sandboxUrl}/quickstart` }
  : { api: 'https://api.petstore.example/v1', quickstart: 'https://quickstart.petstore.example' }

/** Mocks the service in this page, or uses the sandbox over HTTP that VITE_SANDBOX_URL names. */
export async function startMock(): Promise<MockWorld> {
  if (sandboxUrl) return new (await import('./mock/over-http.js')).RemoteMockWorld()
  const { startSandbox } = await import('petstore-sandbox/browser')
  const sandbox = await startSandbox({
    scenarioFromUrl: true,
    // In a frame, such as the preview of an online editor, a service worker may be blocked.
    worker: window.self === window.top,
    expose: true,
    quiet: true,
    panel: true,
  })
  return new (await import('./mock/in-page.js')).LocalMockWorld(sandbox)
}

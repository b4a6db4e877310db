import { setupWorker } from 'msw/browser'
import { startWorker } from '../transport/browser/worker.js'
import { createSandbox } from '../transport/in-process/create.js'
import type { TestRuntime } from './file-sandbox.js'
import { createTest, type OwnSandboxOptions, type SandboxTest } from './vitest.js'

const runtime: TestRuntime<OwnSandboxOptions> = {
  createSandbox: ({ serviceWorker: _, ...options }) => createSandbox(options),
  async intercept(handlers, { serviceWorker }) {
    const worker = setupWorker(...handlers)
    await startWorker(worker, { serviceWorker, quiet: true })
    return () => worker.stop()
  },
  // vitest loads its modules and sends its results with requests to its own server.
  isOwnRequest: ({ destination, url }) =>
    destination !== '' || new URL(url).origin === location.origin,
}

/**
 * vitest's `test` with a sandbox, for vitest's browser mode. Each test has its own API key, and
 * therefore its own world. msw's service worker intercepts the requests to the service.
 */
export const test: SandboxTest = createTest(runtime)

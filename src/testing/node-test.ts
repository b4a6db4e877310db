import { AsyncLocalStorage } from 'node:async_hooks'
import { setupServer } from 'msw/node'
import { createSandbox } from '../transport/in-process/node.js'
import type { TestRuntime } from './file-sandbox.js'
import { checkRunnerVersion } from './runner-version.js'
import { createTest, type OwnSandboxOptions, type SandboxTest } from './vitest.js'

checkRunnerVersion('vitest')

const runtime: TestRuntime<OwnSandboxOptions> = {
  createSandbox: ({ serviceWorker: _, ...options }) => createSandbox(options),
  async intercept(handlers) {
    checkInterception()
    const server = setupServer(...handlers)
    server.listen(bypassUnhandled)
    return () => server.close()
  },
  isOwnRequest: () => false,
  tests: new AsyncLocalStorage(),
}

/**
 * vitest's `test` with a sandbox. Each test has its own API key, and therefore its own world.
 * Requests to the addresses of the service are intercepted and handled in this process.
 *
 * @example
 * test('lists the inventory', async ({ sandbox }) => {
 *   const response = await fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
 *   expect(response.status).toBe(200)
 *   expect(sandbox.world).toHaveReceived('listInventory')
 * })
 */
export const test: SandboxTest = createTest(runtime)

/** The first option is for msw 2, the second for msw 3. The sandbox handles these requests. */
const bypassUnhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const

/**
 * A second msw server in the same process would replace the handlers of the first.
 *
 * @throws {Error} If msw already intercepts requests.
 */
function checkInterception(): void {
  // msw 2 sets this symbol while it listens. msw 3 has no such mark.
  if (!(Symbol.for('fetch-interceptor') in globalThis)) return
  throw new Error(
    'the requests of this process are already intercepted, for example by your own msw server. ' +
      'Add the handlers of a sandbox to it, setupServer(...sandbox.handlers), and pass that sandbox: ' +
      'test.override({ sandboxOptions: { sandbox } })',
  )
}

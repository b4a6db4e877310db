import { test as playwrightTest, type TestType } from '@playwright/test'
import { createSandbox, type NodeSandboxOptions } from '../in-process/node.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { describeReceived } from '../world/journal/describe.js'
import { routeSandbox } from './playwright-route.js'
import { checkRunnerVersion } from './runner-version.js'

checkRunnerVersion('@playwright/test')

/** Fixtures in addition to those of Playwright. */
export interface SandboxFixtures {
  /** Sandbox of this test. It responds to the requests of the test's browser context. */
  sandbox: InProcessSandbox
  /** Options of the sandbox, such as its scenario and base URLs. */
  sandboxOptions: NodeSandboxOptions
}

type Fixtures = Parameters<typeof playwrightTest.extend<SandboxFixtures>>[0]

const fixtures: Fixtures = {
  sandboxOptions: [{}, { option: true }],
  sandbox: [
    async ({ context, sandboxOptions }, use, testInfo) => {
      const sandbox = await createSandbox(sandboxOptions)
      await routeSandbox(context, sandbox)
      await use(sandbox)
      if (testInfo.status === testInfo.expectedStatus) return
      const body = describeReceived(sandbox.world.journal)
      await testInfo.attach('requests to the sandbox', { body, contentType: 'text/plain' })
    },
    { auto: true },
  ],
}

/**
 * Playwright's `test` with a sandbox for each test. Requests to the addresses of the service are
 * handled in the process of the test, without a worker script. If a test fails, its requests and
 * their explanations are attached to the result.
 *
 * @example
 * test.use({ sandboxOptions: { baseUrl: 'https://api.my-shop.test/v1' } })
 * test('backs off', async ({ page, sandbox }) => {
 *   await sandbox.use('rate-limited')
 *   await page.goto('/')
 * })
 */
export const test: TestType<
  SandboxFixtures & TestArgs<typeof playwrightTest>[0],
  TestArgs<typeof playwrightTest>[1]
> = playwrightTest.extend(fixtures)

type TestArgs<T> = T extends TestType<infer Test, infer Worker> ? [Test, Worker] : never

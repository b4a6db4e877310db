import { test as playwrightTest, type TestType } from '@playwright/test'
import { createSandbox, type NodeSandboxOptions } from '../in-process/node.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { describeReceived } from '../world/journal/requests.js'
import { routeSandbox } from './playwright-route.js'

/** What a test is given beside Playwright's own fixtures. */
export interface SandboxFixtures {
  /** The sandbox of this test alone; it answers the pages of the test's browser context. */
  sandbox: InProcessSandbox
  /** How it is made: scenario, base URLs and the like. */
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
      await testInfo.attach('calls to the sandbox', { body, contentType: 'text/plain' })
    },
    { auto: true },
  ],
}

/**
 * Playwright's `test` with a sandbox behind every page: requests to the service's addresses are
 * answered in the test's own process, by a world that no other test reaches. No worker script is
 * needed. A failed test has the calls, with an explanation of each, as an attachment.
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

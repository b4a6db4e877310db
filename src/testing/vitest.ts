import { setupServer } from 'msw/node'
// An older vitest has no `TestRunner`. A named import would fail before the version is checked.
import * as vitest from 'vitest'
import { afterAll, expect, type TestAPI, test as vitestTest } from 'vitest'
import type { PlanId } from '../contract/plans.js'
import { createSandbox, type NodeSandboxOptions } from '../in-process/node.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import type { Scenario } from '../scenario/schema.js'
import type { RequestQuery } from '../world/journal/filter.js'
import { addReport, StrayRequests } from './failure-report.js'
import { journalSerializer } from './journal-serializer.js'
import {
  type ExpectedRequests,
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedNothingUnmatched,
} from './matchers.js'
import { checkRunnerVersion } from './runner-version.js'
import { TestSandbox } from './test-sandbox.js'

checkRunnerVersion('vitest')

/** Options of the sandbox of a test file. */
export interface TestSandboxOptions extends NodeSandboxOptions {
  /**
   * Existing sandbox for the tests to share. The fixture then does not start an msw server: pass the
   * handlers of the sandbox to your own.
   */
  readonly sandbox?: InProcessSandbox | undefined
}

/** A scenario. `call` excludes functions, which vitest's types would otherwise accept. */
export type PlainScenario = Scenario & { readonly call?: never }

/** Fixtures in addition to the context of vitest. */
export interface SandboxFixtures {
  /** The key, worlds and addresses of this test, and `fetch`. */
  sandbox: TestSandbox
  /** Initial scenario of each test's worlds. Default: the scenario of `sandboxOptions`. */
  scenario: string | PlainScenario | readonly (string | PlainScenario)[] | undefined
  /** Plan of each test's key. Default: `free`. */
  plan: PlanId
  /** Options of the sandbox. Set them at the top of a file, or in `provide` of the config. */
  sandboxOptions: TestSandboxOptions
  /** The sandbox that contains the worlds of all tests of the file. */
  sharedSandbox: InProcessSandbox
}

/** Defaults of the fixtures that a test file overrides. */
const defaults: Pick<SandboxFixtures, 'scenario' | 'plan'> & {
  sandboxOptions: [TestSandboxOptions, { scope: 'file'; injected: true }]
} = {
  scenario: undefined,
  plan: 'free',
  sandboxOptions: [{}, { scope: 'file', injected: true }],
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
export const test: TestAPI<SandboxFixtures> = vitestTest.extend<SandboxFixtures>({
  ...defaults,
  sharedSandbox: [
    async ({ sandboxOptions }, use) => {
      const { sandbox, ...options } = sandboxOptions
      if (sandbox) return use(sandbox)
      checkInterception()
      const own = await createSandbox(options)
      const server = setupServer(...own.handlers)
      server.listen(bypassUnhandled)
      await use(own)
      server.close()
    },
    { scope: 'file' },
  ],
  sandbox: async ({ sharedSandbox, scenario, plan, task, onTestFailed }, use) => {
    const sandbox = await TestSandbox.open(sharedSandbox, { title: task.name, plan, scenario })
    const strays = new StrayRequests(sharedSandbox)
    onTestFailed(() => {
      const error = task.result?.errors?.at(-1)
      if (error) error.message = addReport(error.message, sandbox, strays)
    })
    await use(sandbox)
    strays.stop()
    sandbox.close()
  },
})

limitOverridesToFile()

/**
 * Limits `test.override` at the top of a file to that file. Without isolation, which includes the
 * pools `vmThreads` and `vmForks`, files share `test`, and vitest would apply the override to the next
 * files.
 */
function limitOverridesToFile(): void {
  const { override } = test
  test.override = new Proxy(override, {
    apply(target, self, parameters) {
      if (isTopOfFile()) afterAll(() => void override.call(test, defaults))
      return Reflect.apply(target, self, parameters)
    },
  })
}

/** Whether the caller is outside of `describe`. */
function isTopOfFile(): boolean {
  const { suite } = vitest.TestRunner.getCurrentSuite()
  return suite === undefined || suite === suite.file
}

/** Does not intercept requests to other addresses. The first option is for msw 2, the second for msw 3. */
const bypassUnhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const

/**
 * A second msw server in the same process would hide the handlers of the first.
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

expect.extend({ toHaveReceived, toHaveReceivedInOrder, toHaveReceivedNothingUnmatched })
expect.addSnapshotSerializer(journalSerializer)

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Checks that a world, or the world of a sandbox, received matching requests.
     *
     * @param query An operation, or a filter.
     * @param expected Additional conditions, and the number of requests.
     */
    toHaveReceived(query: RequestQuery, expected?: ExpectedRequests): void
    /**
     * Checks that a world, or the world of a sandbox, received requests in this order. Other requests
     * may be in between.
     */
    toHaveReceivedInOrder(queries: readonly RequestQuery[]): void
    /** Checks that every request that a world, or the world of a sandbox, received matched an operation. */
    toHaveReceivedNothingUnmatched(): void
  }
  interface ProvidedContext {
    /** Project-wide options of the `sandbox` fixture. vitest serializes them as JSON. */
    sandboxOptions?: Omit<TestSandboxOptions, 'sandbox' | 'now' | 'sleep'> | undefined
  }
}

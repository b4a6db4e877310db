import { setupServer } from 'msw/node'
import { expect, type TestAPI, test as vitestTest } from 'vitest'
import type { PlanId } from '../contract/plans.js'
import { createSandbox, type NodeSandboxOptions } from '../in-process/node.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import type { Scenario } from '../scenario/schema.js'
import type { RequestQuery } from '../world/journal/query.js'
import { addReport, StrayRequests } from './failure-report.js'
import {
  type ExpectedRequests,
  toHaveReceived,
  toHaveReceivedNothingUnmatched,
} from './matchers.js'
import { TestSandbox } from './test-sandbox.js'

/** How the sandbox of a test file is made. */
export interface TestSandboxOptions extends NodeSandboxOptions {
  /**
   * A sandbox of your own, which the tests then share. Its handlers belong into your own msw
   * server: with it, this door starts none.
   */
  readonly sandbox?: InProcessSandbox
}

/** A scenario that is no function: vitest's types take a function, which has a name, for one. */
export type PlainScenario = Scenario & { readonly call?: never }

/** What a test is given beside vitest's own context. */
export interface SandboxFixtures {
  /** The sandbox of this test alone: its key, its worlds, where they live, and `fetch`. */
  sandbox: TestSandbox
  /** What the worlds of each test start from. Default: the scenario of `sandboxOptions`. */
  scenario: string | PlainScenario | readonly (string | PlainScenario)[] | undefined
  /** The plan of each test's key. Default: `free`. */
  plan: PlanId
  /** How the sandbox of this file is made; only at the top of a file, or in `provide` of the config. */
  sandboxOptions: TestSandboxOptions
  /** The sandbox whose worlds the tests of this file have. */
  sharedSandbox: InProcessSandbox
}

/**
 * vitest's `test` with a sandbox: each test has a key, and so a world, of its own. Requests to the
 * service's addresses are answered in this process, by the world that their key names.
 *
 * @example
 * test('lists the inventory', async ({ sandbox }) => {
 *   const response = await fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
 *   expect(response.status).toBe(200)
 *   expect(sandbox.world).toHaveReceived('listInventory')
 * })
 */
export const test: TestAPI<SandboxFixtures> = vitestTest.extend<SandboxFixtures>({
  scenario: undefined,
  plan: 'free',
  sandboxOptions: [{}, { scope: 'file', injected: true }],
  sharedSandbox: [
    async ({ sandboxOptions }, use) => {
      const { sandbox, ...options } = sandboxOptions
      if (sandbox) return use(sandbox)
      refuseSecondServer()
      const own = await createSandbox(options)
      const server = setupServer(...own.handlers)
      server.listen(letOthersPass)
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
  },
})

/** Requests to other addresses are none of our business: the name of msw 2 for it, and of msw 3. */
const letOthersPass = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const

/** Of two msw servers in one process the second hides the handlers of the first. */
function refuseSecondServer(): void {
  // Where msw 2 notes that it listens; msw 3 notes it nowhere.
  if (!(Symbol.for('fetch-interceptor') in globalThis)) return
  throw new Error(
    'the requests of this process are intercepted already, by an msw server of your own or the like. ' +
      'Give it the handlers of a sandbox, setupServer(...sandbox.handlers), and hand that sandbox in: ' +
      'test.override({ sandboxOptions: { sandbox } })',
  )
}

expect.extend({ toHaveReceived, toHaveReceivedNothingUnmatched })

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Whether a world, or the world of a sandbox, received calls of an operation.
     *
     * @param query An operation, or a filter.
     * @param expected What else the calls are to be, and how many.
     */
    toHaveReceived(query: RequestQuery, expected?: ExpectedRequests): void
    /** Whether every call that reached a world, or the world of a sandbox, matched an operation. */
    toHaveReceivedNothingUnmatched(): void
  }
  interface ProvidedContext {
    /** Project-wide options of the `sandbox` fixture; what stands here travels as JSON. */
    sandboxOptions?: Omit<TestSandboxOptions, 'sandbox' | 'now' | 'sleep'>
  }
}

// An older vitest has no `TestRunner`. A named import would fail before the version is checked.
import * as vitest from 'vitest'
import {
  type Assertion,
  afterAll,
  afterEach,
  beforeAll,
  expect,
  inject,
  type TestAPI,
  test as vitestTest,
} from 'vitest'
import { platform } from '../engine/platform.js'
import type { PlanId } from '../service/plans.js'
import type { WorkerOptions } from '../transport/browser/worker.js'
import type { NodeSandboxOptions } from '../transport/in-process/node.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { RequestQuery } from '../world/journal/filter.js'
import type { ScenarioInput, ScenarioName } from '../world/scenario/source.js'
import { addReport } from './failure-report.js'
import { FileSandbox, type TestRuntime } from './file-sandbox.js'
import { journalSerializer } from './journal-serializer.js'
import type { ExpectedRequests, NotAny, RemoteMatchers, RemoteReceiver } from './matchers.js'
import type { Reported } from './reported.js'
import { ReservedSandbox } from './reserved-sandbox.js'
import { StrayRequests } from './stray-requests.js'
import type { TestRecorder } from './test-recorder.js'
import type { TestSandbox } from './test-sandbox.js'
import type { UnhandledRequestStrategy } from './unhandled-requests.js'
import { writeMeta } from './vitest-channel.js'
import { matchers } from './vitest-matchers.js'

/** Options of the sandbox of a test file. */
export interface TestSandboxOptions extends NodeSandboxOptions {
  /**
   * Existing sandbox for the tests to share. The fixture then does not start an msw server: pass the
   * handlers of the sandbox to your own server.
   */
  readonly sandbox?: InProcessSandbox | undefined
  /**
   * In vitest's browser mode: URL and registration options of msw's worker script. Default URL:
   * `/mockServiceWorker.js`.
   */
  readonly serviceWorker?: WorkerOptions['serviceWorker']
}

/** A scenario. `call` excludes functions, which vitest's types would otherwise accept. */
export type PlainScenario = ScenarioInput & { readonly call?: never }

/** Fixtures in addition to the context of vitest. */
export interface SandboxFixtures {
  /** The key, worlds and addresses of this test, and `fetch`. */
  sandbox: TestSandbox
  /** Initial scenario of each test's worlds. Default: the scenario of `sandboxOptions`. */
  scenario: ScenarioName | PlainScenario | readonly (ScenarioName | PlainScenario)[] | undefined
  /** Plan of each test's key. Default: `free`. */
  plan: PlanId
  /**
   * Whether a fault that no request triggered fails its test. Otherwise a warning is printed.
   * Default: false.
   */
  strictFaults: boolean
  /**
   * Whether a request without a valid key, or with a key of a shared world, such as `sbx_free`, fails
   * its test. Default: false.
   */
  strictKeys: boolean
  /**
   * Handling of requests that are to no address of the sandbox: `bypass` sends them, `warn` also
   * prints a warning, and `error` fails them. Set it at the top of a file, or in `provide` of the
   * config. Has no effect if `sandboxOptions` has a `sandbox`. Default: `bypass`.
   */
  onUnhandledRequest: UnhandledRequestStrategy
  /**
   * Whether the reporter of `petstore-sandbox/vitest-reporter` includes the requests of the test, or
   * the rules of their assessment: `{ ignore: ['deprecated-in-use'] }`. Default: true.
   */
  reported: Reported
  /** Options of the sandbox. Set them at the top of a file, or in `provide` of the config. */
  sandboxOptions: TestSandboxOptions
  /** The sandbox that contains the worlds of all tests of the file. */
  sharedSandbox: InProcessSandbox
}

/** Options of the sandbox that the runtime creates. */
export type OwnSandboxOptions = Omit<TestSandboxOptions, 'sandbox'>

/** Defaults of the fixtures that a test file overrides. */
const defaults: Pick<SandboxFixtures, 'scenario' | 'plan'> & {
  strictFaults: [boolean, { injected: true }]
  strictKeys: [boolean, { injected: true }]
  reported: [Reported, { injected: true }]
  onUnhandledRequest: [UnhandledRequestStrategy, { scope: 'file'; injected: true }]
  sandboxOptions: [TestSandboxOptions, { scope: 'file'; injected: true }]
} = {
  scenario: undefined,
  plan: 'free',
  strictFaults: [false, { injected: true }],
  strictKeys: [false, { injected: true }],
  reported: [true, { injected: true }],
  onUnhandledRequest: ['bypass', { scope: 'file', injected: true }],
  sandboxOptions: [{}, { scope: 'file', injected: true }],
}

/** The `test` of vitest with the fixtures. */
export type SandboxTest = TestAPI<SandboxFixtures>

/** Extends the `test` of vitest with the fixtures. */
export function createTest(runtime: TestRuntime<OwnSandboxOptions>): SandboxTest {
  const file = new FileSandbox(runtime)
  let recorder: Promise<TestRecorder> | undefined
  const test = vitestTest.extend<SandboxFixtures>({
    ...defaults,
    sharedSandbox: [
      async ({ sandboxOptions, onUnhandledRequest }, use) => {
        const { sandbox, ...options } = sandboxOptions
        if (sandbox) return use(sandbox)
        await use(await file.join(options, onUnhandledRequest))
        await file.leave()
      },
      { scope: 'file' },
    ],
    sandbox: async (
      { sharedSandbox, scenario, plan, strictFaults, strictKeys, reported, task, onTestFailed },
      use,
    ) => {
      // Before the first `await`, so that code that the test calls belongs to the test.
      const strays = new StrayRequests(sharedSandbox, runtime.tests)
      if (hasReporter()) recorder ??= createRecorder()
      const settings = { title: task.name, plan, scenario, strays: strays.entries }
      const sandbox = await ReservedSandbox.open(sharedSandbox, settings)
      const takeRequests = (await recorder)?.record(sharedSandbox, sandbox)
      const unhandled = file.unhandled?.record()
      onTestFailed(() => addReport(task.result?.errors?.at(-1), sandbox, strays, unhandled))
      await use(sandbox)
      strays.stop()
      unhandled?.stop()
      const requests = takeRequests?.() ?? []
      if (requests.length > 0) {
        const { selectReported } = await import('./reported.js')
        writeMeta(task.meta, selectReported(reported, requests))
      }
      await sandbox.close()
      const isFailed = task.result?.state === 'fail'
      if (strictKeys && !isFailed && strays.entries.length > 0) throw new Error(strays.describe())
      reportUnusedFaults(sandbox, strictFaults, isFailed)
    },
  })
  limitOverridesToFile(test)
  return test
}

/** Loads the code that only a run with the reporter needs. */
async function createRecorder(): Promise<TestRecorder> {
  const { TestRecorder } = await import('./test-recorder.js')
  return new TestRecorder()
}

/** Whether the reporter of this package is configured. */
function hasReporter(): boolean {
  return inject('petstoreSandboxReport') === true
}

/**
 * Includes the requests to a sandbox that the tests create themselves in the report of
 * `petstore-sandbox/vitest-reporter`. Call it at the top of a test file or in a setup file. Does
 * nothing without the reporter.
 *
 * @example
 * const sandbox = await createSandbox()
 * const server = setupServer(...sandbox.handlers)
 * reportRequests(sandbox)
 */
export function reportRequests(sandbox: InProcessSandbox): void {
  if (!hasReporter()) return
  const collecting = createRecorder().then((recorder) => recorder.collect(sandbox))
  beforeAll(async () => {
    // A restart in the first test removes requests.
    await collecting
  })
  afterEach(async ({ task }) => writeMeta(task.meta, (await collecting).take()))
}

/**
 * Reports the faults that no request has triggered, unless the report of the failed test contains them.
 *
 * @throws {Error} If such faults fail the test.
 */
function reportUnusedFaults(sandbox: ReservedSandbox, isStrict: boolean, isFailed: boolean): void {
  const unused = isFailed ? '' : sandbox.describeUnusedFaults()
  if (unused === '') return
  if (isStrict) throw new Error(unused)
  platform.warn(unused)
}

/**
 * Limits `test.override` at the top of a file to that file. Without isolation, which includes the
 * pools `vmThreads` and `vmForks`, files share `test`, and vitest would apply the override to the next
 * files.
 */
function limitOverridesToFile(test: SandboxTest): void {
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

/** The assertions on a remote handle. */
export interface RemoteAssertion
  extends Omit<Assertion, keyof RemoteMatchers | 'not'>,
    RemoteMatchers {
  readonly not: RemoteAssertion
}

expect.extend(matchers)
expect.addSnapshotSerializer(journalSerializer)

declare module 'vitest' {
  interface ExpectStatic {
    /** The assertions on a remote handle of `petstore-sandbox/connect`. */
    // biome-ignore lint/style/useShorthandFunctionType: it is merged with the interface of vitest.
    <T extends RemoteReceiver>(actual: NotAny<T>, message?: string): RemoteAssertion
  }
  interface ProvidedContext {
    /** Project-wide options of the `sandbox` fixture. vitest serializes them as JSON. */
    sandboxOptions?: Omit<TestSandboxOptions, 'sandbox' | 'now' | 'sleep'> | undefined
    /** Whether the reporter of this package is configured. It provides the value itself. */
    petstoreSandboxReport?: boolean | undefined
    /** Project-wide default of the fixture. */
    reported?: Reported | undefined
    /** Project-wide default of the fixture. */
    strictFaults?: boolean | undefined
    /** Project-wide default of the fixture. */
    strictKeys?: boolean | undefined
    /** Project-wide default of the fixture. */
    onUnhandledRequest?: UnhandledRequestStrategy | undefined
  }
}

declare global {
  // vitest 4 and 5 derive their assertions from this interface. Their assertions have other type
  // parameters.
  namespace Chai {
    interface Assertion {
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
  }
}

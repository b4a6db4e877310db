import {
  type BrowserContext,
  type Clock as PageClock,
  test as playwrightTest,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import { platform } from '../engine/platform.js'
import { takeOverName } from '../transport/browser/worker.js'
import { createSandbox, type NodeSandboxOptions } from '../transport/in-process/node.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import { Clock } from '../world/clock.js'
import { describeReceived } from '../world/journal/entry.js'
import { describeBans } from './failure-report.js'
import { isReportAnnounced, toAttachments } from './playwright-channel.js'
import { answerRequests } from './playwright-request.js'
import { routeSandbox, routeUnhandled, toRejection } from './playwright-route.js'
import type { Reported } from './reported.js'
import type { RequestCollector } from './request-collector.js'
import { checkRunnerVersion } from './runner-version.js'
import { sandboxDefaults, TestSandbox } from './test-sandbox.js'
import { type UnhandledRequestStrategy, UnhandledRequests } from './unhandled-requests.js'
import { describeUnusedFaults, RemovedFaults } from './unused-faults.js'

checkRunnerVersion('@playwright/test')

/** Fixtures in addition to Playwright's. */
export interface SandboxFixtures {
  /**
   * Sandbox of this test. It responds to the requests of the test's browser context. All keys without a
   * scenario or label, such as `sandbox.apiKey`, select its worlds.
   */
  sandbox: TestSandbox
  /** Options of the sandbox, such as its scenario and base URLs. */
  sandboxOptions: NodeSandboxOptions
  /**
   * Whether a fault that no request triggered fails its test. Otherwise a warning is printed.
   * Default: false.
   */
  strictFaults: boolean
  /**
   * Handling of requests by `fetch` and `XMLHttpRequest`, by `page.request` and by `request` that are
   * to no address of the sandbox: `bypass` sends them, `warn` also prints a warning, and `error`
   * fails them. Default: `bypass`.
   */
  onUnhandledRequest: UnhandledRequestStrategy
  /**
   * Whether the reporter of `petstore-sandbox/playwright-reporter` includes the requests of the test,
   * or the rules of their assessment: `{ ignore: ['deprecated-in-use'] }`. Default: true.
   */
  reported: Reported
}

type Fixtures = Parameters<typeof playwrightTest.extend<SandboxFixtures>>[0]

const fixtures: Fixtures = {
  sandboxOptions: [{}, { option: true }],
  strictFaults: [false, { option: true }],
  onUnhandledRequest: ['bypass', { option: true }],
  reported: [true, { option: true }],
  sandbox: [
    async (
      { context, baseURL, sandboxOptions, strictFaults, onUnhandledRequest, reported },
      use,
      testInfo,
    ) => {
      const { now = platform.now } = sandboxOptions
      const clock = new Clock(now, undefined, () => {
        // This clock is the real time of the worlds.
        for (const world of sandbox.core.worlds.all()) world.clock.endWaits()
      })
      const options = { ...sandboxDefaults, ...sandboxOptions, now: () => clock.now() }
      const sandbox = new TestSandbox(await createSandbox(options), 'sbx_free', 'free')
      const requests = reported && isReportAnnounced() ? await collect(sandbox) : undefined
      const removedFaults = new RemovedFaults()
      removedFaults.watch(sandbox.world)
      const unhandled = new UnhandledRequests(sandbox, onUnhandledRequest)
      const unhandledRequests = unhandled.record()
      followPageClock(context.clock, clock)
      const problems = await takeOverPages(context, sandbox)
      await routeUnhandled(context, unhandled)
      await routeSandbox(context, sandbox)
      const stop = answerRequests(context.request, sandbox, baseURL, toRejection(unhandled))
      await use(sandbox)
      stop()
      if (requests) {
        const { selectReported } = await import('./reported.js')
        testInfo.attachments.push(...toAttachments(selectReported(reported, requests.take())))
      }
      const unused = describeUnusedFaults(sandbox.core.worlds.all(), removedFaults)
      if (testInfo.status === testInfo.expectedStatus) {
        checkEnd(unused, strictFaults, problems, testInfo)
        return
      }
      const bans = describeBans(sandbox.core.worlds.all())
      const received = describeReceived(sandbox.world.requests.read())
      // The list reporter shows only the beginning.
      const parts = [bans, received, unhandledRequests.describe(), unused]
      const body = [...parts, ...problems].filter((part) => part !== '').join('\n\n')
      await testInfo.attach('requests to the sandbox', { body, contentType: 'text/plain' })
    },
    { auto: true },
  ],
  request: async ({ request, baseURL, sandbox, onUnhandledRequest }, use) => {
    const unhandled = new UnhandledRequests(sandbox, onUnhandledRequest)
    const stop = answerRequests(request, sandbox, baseURL, toRejection(unhandled))
    await use(request)
    stop()
  },
}

/** Starts to collect requests. Loads the code that only a run with the reporter needs. */
async function collect(sandbox: InProcessSandbox): Promise<RequestCollector> {
  const { RequestCollector } = await import('./request-collector.js')
  return new RequestCollector(sandbox)
}

/**
 * Reports the problems that make the result of a test doubtful, at its end.
 *
 * @throws {Error} If it fails the test.
 */
function checkEnd(
  unused: string,
  isStrict: boolean,
  problems: ReadonlySet<string>,
  testInfo: TestInfo,
): void {
  const isFailure = isStrict && unused !== ''
  const reasons = [...problems, ...(isFailure ? [unused] : [])]
  if (reasons.length > 0) throw new Error(reasons.join('\n\n'))
  if (unused === '') return
  platform.warn(unused)
  testInfo.annotations.push({ type: 'petstore-sandbox', description: unused })
}

/**
 * Playwright's `test` with a sandbox for each test. Requests to the addresses of the service are
 * handled in the process of the test, without a worker script. This includes the requests of
 * `page.request` and `request`. `page.clock` moves the clocks of the worlds. If a test fails, its
 * requests and their explanations are attached to the result.
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

/**
 * Makes a clock follow `page.clock`: each method of `page.clock` first moves the clock, because the
 * timers of the page may send requests before the method ends.
 */
function followPageClock(page: PageClock, clock: Clock): void {
  const runFrom = (time: number | string | Date) => {
    clock.run()
    clock.set(time)
  }
  page.install = before(page, page.install, ({ time } = {}) => {
    if (time !== undefined) runFrom(time)
  })
  page.setSystemTime = before(page, page.setSystemTime, runFrom)
  page.setFixedTime = before(page, page.setFixedTime, (time) => clock.freeze(time))
  page.pauseAt = before(page, page.pauseAt, (time) => clock.freeze(time))
  page.resume = before(page, page.resume, () => clock.run())
  page.fastForward = before(page, page.fastForward, (ticks) => clock.advance(toMs(ticks)))
  page.runFor = before(page, page.runFor, (ticks) => clock.advance(toMs(ticks)))
}

/** Returns a method that calls `action` before `method`. */
function before<Args extends readonly unknown[]>(
  self: PageClock,
  method: (...args: Args) => Promise<void>,
  action: (...args: Args) => void,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    action(...args)
    await method.call(self, ...args)
  }
}

/** Converts ticks to milliseconds: a number, or a string such as `08`, `01:00` or `02:34:10`. */
function toMs(ticks: number | string): number {
  if (typeof ticks === 'number') return ticks
  return ticks.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000
}

/** The arguments that a page passes. */
type TakeOver = readonly [bases: readonly string[], scenarios: readonly string[] | undefined]

/**
 * Replaces the sandboxes that the pages of a context start: their requests reach the sandbox of the
 * test, which starts the scenario in the URL of a page. Returns a list of problems, which grows:
 * requests to which another service worker has responded.
 */
async function takeOverPages(
  context: BrowserContext,
  sandbox: InProcessSandbox,
): Promise<ReadonlySet<string>> {
  const problems = new Set<string>()
  await context.exposeBinding(takeOverName, async ({ frame }, ...page: TakeOver) => {
    const [bases, scenarios = []] = page
    const unknown = bases.find((base) => !sandbox.answers(toUrl(base, frame.url())))
    if (unknown !== undefined) {
      const problem = describeOtherAddress(unknown, sandbox)
      problems.add(problem)
      throw new Error(problem)
    }
    if (scenarios.length === 0 || sandbox.world.scenario === scenarios.join('+')) return
    await sandbox.core.worlds.use(scenarios)
  })
  const forwarded = new Set<string>()
  context.on('request', (request) => {
    if (request.serviceWorker()) forwarded.add(request.url())
  })
  context.on('response', (response) => {
    const url = response.url()
    // A worker that forwards requests does not replace the sandbox.
    if (!response.fromServiceWorker() || !sandbox.answers(url) || forwarded.has(url)) return
    problems.add(
      `a service worker of the page responded to ${response.request().method()} ${url} in place of ` +
        "the sandbox of the test; start it only outside of this test, or test.use({ serviceWorkers: 'block' })",
    )
  })
  return problems
}

/** Returns the URL of a path below a base URL, which may be on any origin. */
function toUrl(base: string, pageUrl: string): string {
  const path = base.replace(/^\*/, '')
  return `${new URL(path, pageUrl).href.replace(/\/$/, '')}/inventory`
}

function describeOtherAddress(found: string, { bases }: InProcessSandbox): string {
  const known = Object.values(bases).map(({ text }) => text)
  return (
    `the page starts a sandbox at ${found}, to which the sandbox of the test does not respond, only to ` +
    `${known.join(', ')}; pass the same addresses: test.use({ sandboxOptions: { baseUrl: … } })`
  )
}

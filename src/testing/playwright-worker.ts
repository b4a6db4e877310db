import type { BrowserContext } from '@playwright/test'
import { takeOverName } from '../transport/browser/worker.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'

/** The arguments that a page passes. */
type TakeOver = readonly [bases: readonly string[], scenarios: readonly string[] | undefined]

/**
 * Replaces the sandboxes that the pages of a context start: their requests reach the sandbox of the
 * test, which starts the scenario in the URL of a page. Returns a list of problems, which grows:
 * requests to which another service worker has responded.
 */
export async function takeOverPages(
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

import {
  type BrowserSandbox,
  type BrowserSandboxOptions,
  type LoadPanel,
  startBrowserSandbox,
} from '../../transport/browser/sandbox.js'

/**
 * Starts a sandbox in this page. msw's service worker intercepts the requests to the service.
 *
 * @example
 * const sandbox = await startSandbox({ scenario: 'low-stock', scenarioFromUrl: true })
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} If msw's worker script is missing, or a sandbox is running in this page already. The
 * message says what to do.
 */
export function startSandbox(options: BrowserSandboxOptions = {}): Promise<BrowserSandbox> {
  return startBrowserSandbox(options, loadPanel)
}

const loadPanel: LoadPanel = async (sandbox, options, parameter) => {
  // All at once: a file that loads another one would move Vite's helper for that out of the page.
  const [{ mountSandboxPanel }, createTest] = await Promise.all([
    import('./sandbox.js'),
    import('../copies/create-test.js'),
  ])
  return mountSandboxPanel(sandbox, options, async () => createTest, parameter)
}

declare global {
  interface Window {
    /** The sandbox of this page if it was started with `expose: true`. */
    petstoreSandbox?: BrowserSandbox
  }
}

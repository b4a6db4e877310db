import { platform } from '../sandbox/platform.js'
import { type BrowserSandbox, type BrowserSandboxOptions, startBrowserSandbox } from './sandbox.js'

/**
 * Starts a sandbox in this page. msw's service worker intercepts the requests to the service.
 *
 * @example
 * const sandbox = await startSandbox({ scenario: 'low-stock', scenarioFromUrl: true })
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} If msw's worker script is missing. The message says what to run.
 */
export function startSandbox(options: BrowserSandboxOptions = {}): Promise<BrowserSandbox> {
  return startBrowserSandbox(options, platform)
}

declare global {
  interface Window {
    /** The sandbox of this page if it was started with `expose: true`. */
    petstoreSandbox?: BrowserSandbox
  }
}

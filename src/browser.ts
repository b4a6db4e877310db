import { platform } from './sandbox/platform.js'
import {
  type BrowserSandbox,
  type BrowserSandboxOptions,
  startBrowserSandbox,
} from './browser/sandbox.js'

/**
 * Starts a sandbox in this page: msw's service worker hands it every request to the service.
 *
 * @example
 * const sandbox = await startSandbox({ scenario: 'low-stock', scenarioFromUrl: true })
 *
 * @throws {ScenarioError} When a scenario is unknown or does not fit.
 * @throws {TypeError} When an option is unknown or does not fit.
 * @throws {Error} When msw's worker script is missing: says what to run.
 */
export function startSandbox(options: BrowserSandboxOptions = {}): Promise<BrowserSandbox> {
  const warn = (message: string) => console.warn(`petstore-sandbox: ${message}`)
  return startBrowserSandbox(options, platform, warn)
}

declare global {
  interface Window {
    /** The sandbox of this page, when it was started with `expose: true`. */
    petstoreSandbox?: BrowserSandbox
  }
}

export { Problem } from './contract/errors.js'
export type { ScenarioSource } from './scenario/library.js'
export { ScenarioError } from './scenario/scenario-error.js'
export type { Scenario } from './scenario/schema.js'
export type { JournalEntry } from './world/journal/journal.js'
export type { World } from './world/world.js'
export type { BrowserSandbox, BrowserSandboxOptions }

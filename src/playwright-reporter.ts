import { PlaywrightReporter } from './testing/playwright-reporter.js'
import type { RunReportOptions } from './testing/run-report.js'

export type { RunReportOptions } from './testing/run-report.js'

/**
 * Playwright reporter that merges the requests of all tests of a run, of all projects and workers, in
 * one integration report. It prints a summary and writes the files that the options name, relative to
 * the folder of the configuration. If the report misses a threshold, the run fails.
 *
 * @example
 * // playwright.config.ts
 * reporter: [['list'], ['petstore-sandbox/playwright-reporter', { html: 'report.html', failOn: 'error' }]]
 */
export default class SandboxReporter extends PlaywrightReporter {
  /** @throws {TypeError} If an option is unknown or invalid. */
  constructor(options?: RunReportOptions) {
    super(options, (text) => void process.stdout.write(text))
  }
}

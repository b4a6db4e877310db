import type { RunReportOptions } from './testing/run-report.js'
import { VitestReporter } from './testing/vitest-reporter.js'

export type { RunReportOptions } from './testing/run-report.js'

/**
 * vitest reporter that merges the requests of all tests of a run, of all projects and workers, in one
 * integration report. It prints a summary and writes the files that the options name, relative to the
 * root of vitest. If the report misses a threshold, the exit code is 1, except in watch mode.
 *
 * @example
 * // vitest.config.ts
 * reporters: ['default', ['petstore-sandbox/vitest-reporter', { html: 'report.html', failOn: 'error' }]]
 */
export default class SandboxReporter extends VitestReporter {
  /** @throws {TypeError} If an option is unknown or invalid. */
  constructor(options?: RunReportOptions) {
    super(options, () => {
      process.exitCode = 1
    })
  }
}

import { dirname } from 'node:path'
import type {
  FullConfig,
  FullResult,
  Reporter,
  TestCase,
  TestResult,
} from '@playwright/test/reporter'
import type { TestRequests } from '../report/merge.js'
import { announceReport, readAttachments } from './playwright-channel.js'
import { type RunReportOptions, readRunReportOptions, reportRun } from './run-report.js'
import { checkRunnerVersion } from './runner-version.js'

/** The reporter of the entry point `petstore-sandbox/playwright-reporter`. */
export class PlaywrightReporter implements Reporter {
  readonly #options: RunReportOptions
  readonly #tests: TestRequests[] = []
  readonly #print: (text: string) => void
  #folder = '.'

  /**
   * @param print Writes to the standard output.
   * @throws {TypeError} If an option is unknown or invalid.
   */
  constructor(options: RunReportOptions | undefined, print: (text: string) => void) {
    this.#print = print
    checkRunnerVersion('@playwright/test')
    const own = withoutRunnerOptions(options)
    this.#options = readRunReportOptions('petstore-sandbox/playwright-reporter', own)
    announceReport()
  }

  onBegin(config: FullConfig): void {
    this.#folder = config.configFile ? dirname(config.configFile) : config.rootDir
  }

  onTestEnd(test: TestCase, { attachments, retry }: TestResult): void {
    const [, project = '', ...titles] = test.titlePath()
    const title = titles.join(' > ')
    const attempt = retry === 0 ? title : `${title} (retry ${retry})`
    const worlds = readAttachments(attachments)
    this.#tests.push({ test: project === '' ? attempt : `[${project}] ${attempt}`, worlds })
  }

  async onEnd({ status }: FullResult): Promise<{ status?: FullResult['status'] }> {
    if (this.#tests.length === 0) return {}
    const { summary, isFailed } = await reportRun(this.#tests, this.#options, this.#folder)
    this.#print(`\n${summary}\n`)
    return isFailed && status === 'passed' ? { status: 'failed' } : {}
  }

  /** Playwright adds its own reporter if no other one prints the results of the tests. */
  printsToStdio(): boolean {
    return false
  }
}

/** Playwright passes settings of its own with the options: `configDir`, and others that start with `_`. */
function withoutRunnerOptions(options: object | undefined): object {
  const isOwn = ([name]: [string, unknown]) => name !== 'configDir' && !name.startsWith('_')
  return Object.fromEntries(Object.entries(options ?? {}).filter(isOwn))
}

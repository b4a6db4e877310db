import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { type RunReportOptions, readRunReportOptions, reportRun } from './run-report.js'
import { checkRunnerVersion } from './runner-version.js'
import type {} from './vitest.js'
import { readMeta } from './vitest-channel.js'

/** The reporter of the entry point `petstore-sandbox/vitest-reporter`. */
export class VitestReporter implements Reporter {
  readonly #options: RunReportOptions
  readonly #fail: () => void
  #vitest: Vitest | undefined

  /**
   * @param fail Sets the exit code.
   * @throws {TypeError} If an option is unknown or invalid.
   */
  constructor(options: RunReportOptions | undefined, fail: () => void) {
    checkRunnerVersion('vitest')
    this.#fail = fail
    this.#options = readRunReportOptions('petstore-sandbox/vitest-reporter', options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // The fixtures pass their requests on only if a reporter reads them.
    vitest.provide('petstoreSandboxReport', true)
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    if (!vitest || tests.length === 0) return
    const requests = tests.map((test) => ({ test: toTitle(test), worlds: readMeta(test.meta()) }))
    const { summary, isFailed } = await reportRun(requests, this.#options, vitest.config.root)
    vitest.logger.log(`\n${summary}\n`)
    if (isFailed && !vitest.config.watch) this.#fail()
  }
}

/** Returns project, file and title of a test: `[node] cart.test.ts > cart > retries after 429`. */
function toTitle({ project, module, fullName }: TestCase): string {
  const file = `${module.relativeModuleId} > ${fullName}`
  return project.name === '' ? file : `[${project.name}] ${file}`
}

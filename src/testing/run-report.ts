import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod/mini'
import { platform } from '../engine/platform.js'
import { reportFormats } from '../report/format/formats.js'
import { describeConduct, describeCoverage } from '../report/format/words.js'
import { mergeRequests, type TestRequests } from '../report/merge.js'
import type { Report, Severity } from '../report/report.js'
import { selectionSchema, selectRules } from '../report/selection.js'
import { describeEmpty, findFailures } from '../report/thresholds.js'
import { toCount, toPlainLine } from '../service/validation/message.js'
import { describeMismatch, validate } from '../service/validation/validate.js'

/** Options of the reporters for test runs. */
export interface RunReportOptions {
  /** File for the report as one HTML page without external requests. */
  readonly html?: string | undefined
  /** File for the report as JUnit XML. */
  readonly junit?: string | undefined
  /** File for the report as JSON. */
  readonly json?: string | undefined
  /**
   * Fails the run if the clients break a rule. `error`: only rules of this severity count; `warning`:
   * all rules count. Default: no rule fails the run.
   */
  readonly failOn?: 'error' | 'warning' | undefined
  /**
   * Fails the run if the tests have met a smaller percentage of the combinations of operation, status
   * and rate limit, 0 to 100. Default: no minimum.
   */
  readonly minCoverage?: number | undefined
  /** Whether a run without any request of a sandbox fails. Default: false. */
  readonly failOnEmpty?: boolean | undefined
  /** Ids of the rules that are reported, such as `retry-after`. Default: all. */
  readonly rules?: readonly string[] | undefined
  /** Ids of the rules that are left out, such as `deprecated-in-use`. Default: none. */
  readonly ignore?: readonly string[] | undefined
}

const fileSchema = z.optional(z.string().check(z.minLength(1, { error: 'a file' })))

const optionsSchema = z.strictObject({
  html: fileSchema,
  junit: fileSchema,
  json: fileSchema,
  failOn: z.optional(z.enum(['error', 'warning'])),
  minCoverage: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  failOnEmpty: z.optional(z.boolean()),
  ...selectionSchema.shape,
})

const fileFormats = ['html', 'junit', 'json'] as const

/**
 * Checks the options of a reporter.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function readRunReportOptions(entryPoint: string, options: unknown): RunReportOptions {
  const result = validate(optionsSchema, options ?? {})
  if (result.ok) return result.value
  const problems = result.mismatches.map((mismatch) => describeMismatch(mismatch, 'options'))
  throw new TypeError(`${entryPoint}: ${problems.join('; ')}`)
}

/** The result of a run, as a reporter prints it. */
export interface RunReport {
  readonly summary: string
  /** Whether the run misses a threshold. */
  readonly isFailed: boolean
}

/**
 * Assesses the requests of all tests of a run, and writes the files.
 *
 * @param folder Folder of relative paths.
 */
export async function reportRun(
  tests: readonly TestRequests[],
  options: RunReportOptions,
  folder: string,
): Promise<RunReport> {
  const report = selectRules(mergeRequests(tests, platform.now()), options)
  const files: string[] = []
  for (const format of fileFormats) {
    const file = options[format]
    if (file === undefined) continue
    const path = resolve(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, reportFormats[format](report, { thresholds: options }))
    files.push(file)
  }
  const failures = findFailures(report, options)
  const summary = summarize(report, tests, files, failures)
  return { summary, isFailed: failures.length > 0 }
}

function summarize(
  report: Report,
  tests: readonly TestRequests[],
  files: readonly string[],
  failures: readonly string[],
): string {
  const empty = describeEmpty(report)
  const senders = tests.filter(({ worlds }) => worlds.length > 0)
  const names = new Set(senders.map(({ test }) => test))
  const requests = toCount(report.requests.received, 'requests')
  const lines = [
    `petstore-sandbox: ${empty ?? `${requests} of ${toCount(names.size, 'tests')}`}`,
    `  conduct   ${describeConduct(report)}`,
    ...listBroken(report, 'error'),
    ...listBroken(report, 'warning'),
    `  coverage  ${describeCoverage(report)}`,
    ...(files.length > 0 ? [`  written   ${files.join(', ')}`] : []),
    ...failures.map((failure) => `  fails     ${failure}`),
  ]
  return lines.map(toPlainLine).join('\n')
}

function listBroken({ conduct }: Report, severity: Severity): string[] {
  const broken = conduct.filter((rule) => rule.outcome === 'broken' && rule.severity === severity)
  if (broken.length === 0) return []
  return [`  ${`${severity}s`.padEnd(9)} ${broken.map(({ id }) => id).join(', ')}`]
}

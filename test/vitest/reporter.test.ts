import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/report/report.js'
import { rules } from '../../src/report/rules/rules.js'
import { type RunReportOptions, reportRun } from '../../src/testing/run-report.js'
import SandboxReporter from '../../src/vitest-reporter.js'
import { runTests } from '../support/test-runners.js'

const folder = `${import.meta.dirname}/reported`

const directory = await mkdtemp(join(tmpdir(), 'petstore-reporter-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Runs the projects with options of the reporter. */
function runProjects(options: RunReportOptions, ...more: readonly string[]) {
  const args = ['run', '--root', folder, '--config', `${folder}/vitest.config.ts`, ...more]
  return runTests('vitest', args, { REPORT_OPTIONS: JSON.stringify(options) })
}

async function readReport(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Returns the tests that the evidence of the broken rules names, by rule. */
function toBrokenBy({ conduct }: Report): Record<string, (string | undefined)[]> {
  const broken = conduct.filter(({ outcome }) => outcome === 'broken')
  return Object.fromEntries(
    broken.map(({ id, evidence }) => [id, [...new Set(evidence.map((each) => each.test))].sort()]),
  )
}

/** Returns the operations and statuses that the tests have met. */
function toMet({ coverage }: Report): string[] {
  const met = coverage.cells.filter(({ count }) => count > 0)
  return met.map(({ operation, status, count }) => `${count} ${operation} ${status}`).sort()
}

const brokenBy = {
  'content-type': ['[broken] broken/apart.spec.ts > sends a message'],
  'deprecated-in-use': [
    '[broken] broken/retries.spec.ts > fails once',
    '[kept] kept/kept.spec.ts > uses a sandbox of its own',
  ],
  'retry-after': ['[broken] broken/retries.spec.ts > retries at once after 429'],
}

/** One request is repeated because its test is retried. None is from the test with `reported: false`. */
const met = [
  '1 getPet 404',
  '1 listInventory 401',
  '1 sendMessage 400',
  '2 listInventory 429',
  '3 getPet 200',
  '3 listInventory 200',
]

describe('petstore-sandbox/vitest-reporter', () => {
  test('merges the worlds of all projects, workers, retries and restarts, and fails below a threshold', async () => {
    const files = {
      html: join(directory, 'new/report.html'),
      junit: join(directory, 'new/report.xml'),
      json: join(directory, 'new/report.json'),
    }
    const { code, stdout } = await runProjects({ ...files, minCoverage: 90 }, '--maxWorkers=2')
    expect(code).toBe(1)
    const report = await readReport(files.json)
    expect(toBrokenBy(report)).toEqual(brokenBy)
    expect(toMet(report)).toEqual(met)
    expect(report).toMatchObject({
      world: null,
      apiKey: null,
      plan: null,
      requests: { received: 11, assessed: 11 },
      smallestPlan: 'free',
    })
    const summary = stdout.slice(stdout.indexOf('petstore-sandbox: '))
    expect(summary.trimEnd().split('\n')).toEqual([
      'petstore-sandbox: 11 requests of 7 tests',
      expect.stringMatching(/^ {2}conduct {3}\d errors?, \d warnings?, \d+ kept, \d+ unseen$/),
      expect.stringMatching(/^ {2}errors {4}.*retry-after/),
      expect.stringMatching(/^ {2}warnings /),
      expect.stringMatching(/^ {2}coverage {2}6 of \d+ combinations \(\d+ %\)$/),
      `  written   ${Object.values(files).join(', ')}`,
      expect.stringMatching(/^ {2}fails {5}coverage must be at least 90 %, found 6 of/),
    ])
    for (const file of [files.html, files.junit]) {
      const text = await readFile(file, 'utf8')
      expect(text).toContain('retries.spec.ts &gt; retries at once after 429')
      expect(text).toContain('kept.spec.ts &gt; uses a sandbox of its own')
    }
  })

  test('merges the shards of a run', async () => {
    const json = join(directory, 'shards.json')
    const blobs = join(directory, 'blobs')
    const reporters = ['--reporter=blob', `--reporter=${folder}/../../../src/vitest-reporter.ts`]
    for (const shard of [1, 2]) {
      const blob = `--outputFile=${blobs}/${shard}.json`
      await runProjects({}, ...reporters, `--shard=${shard}/2`, blob)
    }
    const { stdout } = await runProjects({ json }, `--merge-reports=${blobs}`)
    expect(stdout).toContain('petstore-sandbox: 11 requests of 7 tests')
    expect(toBrokenBy(await readReport(json))).toEqual(brokenBy)
  })

  test('leaves out ignored rules; a run without requests says so, and fails with failOnEmpty only', async () => {
    const options = { ignore: ['retry-after'], failOn: 'warning', minCoverage: 90 } as const
    const { summary, isFailed } = await reportRun([], options, directory)
    expect(summary).toContain('petstore-sandbox: no test has sent a request to a sandbox')
    expect(summary).toContain(`${rules.length - 1} unseen`)
    expect(isFailed).toBe(false)
    expect((await reportRun([], { ...options, failOnEmpty: true }, directory)).isFailed).toBe(true)
  })

  test.each([
    [{ minCoverage: '80' }, /^petstore-sandbox\/vitest-reporter: minCoverage must be /],
    [{ hmtl: '' }, /hmtl is not a known field, wanted one of html, junit, json, failOn/],
    [{ ignore: ['deprecated-in-us'] }, /ignore\[0\] must be .+, found "deprecated-in-us"/],
  ])('rejects the options %j', (options, message) => {
    expect(() => new SandboxReporter(options as object)).toThrow(message) // as from JavaScript
  })
})

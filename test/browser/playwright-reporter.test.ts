import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReportOptions } from 'petstore-sandbox/playwright-reporter'
import { afterAll, expect, test } from 'vitest'
import { runTests } from '../support/test-runners.js'
import { findChromium } from './support/chromium.js'

const folder = `${import.meta.dirname}/reported-playwright`

const directory = await mkdtemp(join(tmpdir(), 'petstore-reporter-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

function runPlaywright(options: RunReportOptions) {
  const args = ['test', '--config', `${folder}/playwright.config.ts`]
  const output = ['--output', join(directory, 'results')]
  const variables = { CHROMIUM_PATH: findChromium(), REPORT_OPTIONS: JSON.stringify(options) }
  return runTests('Playwright', [...args, ...output], variables)
}

test('petstore-sandbox/playwright-reporter merges the worlds of all projects, workers and retries, and fails below a threshold', async () => {
  const files = { html: join(directory, 'report.html'), junit: join(directory, 'report.xml') }
  const json = join(directory, 'report.json')
  const { code, output } = await runPlaywright({ ...files, json, minCoverage: 90 })
  expect(output).toContain('1 flaky')
  expect(output).toMatch(/^ {2}fails {5}coverage must be at least 90 %, found \d+ of/m)
  expect(code).toBe(1)
  const report = JSON.parse(await readFile(json, 'utf8'))
  // None is from the test with `reported: false`.
  expect(report.requests).toMatchObject({ received: 6, assessed: 6 })
  expect(report.conduct).toContainEqual(
    expect.objectContaining({
      id: 'retry-after',
      outcome: 'broken',
      evidence: [
        expect.objectContaining({ test: '[broken] broken.spec.ts > retries at once after 429' }),
      ],
    }),
  )
  expect(JSON.stringify(report)).toContain('[broken] broken.spec.ts > fails once (retry 1)')
  expect(output).toContain('petstore-sandbox: 6 requests of 4 tests\n')
  for (const file of Object.values(files)) {
    expect(await readFile(file, 'utf8')).toContain('retries at once after 429')
  }
}, 120_000)

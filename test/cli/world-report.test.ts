import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import { reportFormats } from '../../src/report/format/formats.js'
import type { Report } from '../../src/report/report.js'
import { addresses } from '../../src/service/addresses.js'
import { brokenWarning, emptyReport, fullReport } from '../report/reports.js'
import { serve } from '../support/server.js'
import { createDirectory, createTerminal, type Outcome } from './support.js'
import { jsonHeaders } from './world-support.js'

/** Returns a function that runs `world report` against a server with a fixed report. */
async function openReport(report: Report, env = {}, isTTY = false) {
  const url = await serve((req, res) => {
    const isKnown = req.url === `${addresses.control.httpPath}/report`
    res.writeHead(isKnown ? 200 : 404, jsonHeaders)
    res.end(JSON.stringify(isKnown ? report : {}))
  })
  return async (...args: string[]): Promise<Outcome> => {
    const { terminal, read } = createTerminal(env, isTTY)
    const code = await runCli(['world', 'report', '--url', url, ...args], terminal)
    return { code, ...read() }
  }
}

test('world report writes to the file of --output, without colours', async () => {
  const runReport = await openReport(fullReport, {}, true)
  const file = join(await createDirectory({}), 'report.txt')
  const outcome = await runReport('--output', file)
  expect(outcome).toEqual({ code: 0, stdout: '', stderr: `wrote ${file}\n` })
  expect(await readFile(file, 'utf8')).toBe(reportFormats.text(fullReport))
})

const onlyWarning: Report = { ...fullReport, conduct: [brokenWarning] }
const unmet = 'coverage must be at least 41 %, found 17 of 42 combinations (40 %)'

test.each([
  [fullReport, [], undefined],
  [fullReport, ['--fail-on', 'error'], '1 rule is broken: retry-after'],
  [fullReport, ['--fail-on', 'warning'], '2 rules are broken: deprecated-in-use, retry-after'],
  [onlyWarning, ['--fail-on', 'error'], undefined],
  [onlyWarning, ['--fail-on', 'warning'], '1 rule is broken: deprecated-in-use'],
  [fullReport, ['--min-coverage', '40.4'], undefined],
  [fullReport, ['--min-coverage', '41'], unmet],
  [
    fullReport,
    ['--fail-on', 'error', '--min-coverage', '41'],
    `1 rule is broken: retry-after; ${unmet}`,
  ],
] as const)(
  'world report %# with %j prints the report and fails with %j',
  async (report, args, line) => {
    const runReport = await openReport(report)
    expect(await runReport(...args)).toEqual({
      code: line === undefined ? 0 : 1,
      stdout: reportFormats.text(report),
      stderr: line === undefined ? '' : `petstore-sandbox: ${line}\n`,
    })
  },
)

test.each([
  ['junit', '<failure message="40 requests for getPet before its sunset">'],
  ['html', 'Fails: 2 rules are broken'],
])('world report states in the format %s what fails', async (format, text) => {
  const runReport = await openReport(fullReport)
  const { code, stdout } = await runReport('--format', format, '--fail-on', 'warning')
  expect(code).toBe(1)
  expect(stdout).toContain(text)
})

test('world report --rules and --ignore select rules', async () => {
  const runReport = await openReport(fullReport)
  const readIds = async (...args: string[]) => {
    const report: Report = JSON.parse((await runReport('--json', ...args)).stdout)
    return report.conduct.map(({ id }) => id)
  }
  expect(await readIds('--rules', 'retry-after, no-ban')).toEqual(['no-ban', 'retry-after'])
  const args = ['--fail-on', 'warning', '--ignore', 'deprecated-in-use,retry-after'] as const
  expect(await readIds(...args)).toEqual(['int64-exact', 'no-ban'])
  expect((await runReport(...args)).code).toBe(0)
})

test('world report of a key without requests says so, and fails with --fail-on-empty', async () => {
  const runReport = await openReport(emptyReport)
  const stderr = 'petstore-sandbox: the key has sent no request\n'
  const limits = ['--fail-on', 'warning', '--min-coverage', '90']
  expect(await runReport(...limits)).toMatchObject({ code: 0, stderr })
  expect(await runReport(...limits, '--fail-on-empty')).toMatchObject({ code: 1, stderr })
})

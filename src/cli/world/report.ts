import * as z from 'zod/mini'
import { type ReportFormat, reportFormats } from '../../report/format/formats.js'
import type { Report } from '../../report/report.js'
import { findRuleProblem, selectRules } from '../../report/selection.js'
import { describeEmpty, findFailures } from '../../report/thresholds.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { readOptions } from '../read-options.js'
import { writeOutput } from '../terminal.js'
import type { WorldCommand } from './command.js'

const formats = Object.keys(reportFormats) as ReportFormat[] // the keys of a const table

/** Exit code if the report misses a threshold. */
const missedCode = 1

const optionsSchema = z.strictObject({
  format: z.optional(z.enum(formats)),
  failOn: z.optional(z.enum(['warning', 'error'])),
  minCoverage: z.optional(
    z.pipe(
      z.string().check(z.refine(isPercentage, { error: 'a number from 0 to 100' })),
      z.transform(Number),
    ),
  ),
  failOnEmpty: z.optional(z.boolean()),
  rules: z.optional(z.string()),
  ignore: z.optional(z.string()),
  output: z.optional(z.string().check(z.minLength(1, { error: 'a file' }))),
})

export const report: WorldCommand = {
  name: 'report',
  operation: 'getReport',
  description: 'Assesses a client from the requests that its key has sent to the world.',
  isAssessment: true,
  options: [
    ['--format <name>', `${formats.join(', ')}. Default: text, or json with --json.`],
    [
      '--fail-on <severity>',
      'Fails if a rule is broken. error: only rules of that severity count.',
    ],
    ['--min-coverage <percentage>', 'Fails if the client has met fewer combinations than that.'],
    ['--fail-on-empty', 'Fails if the key has sent no request.'],
    ['--rules <ids>', 'Reports only these rules, separated by commas.'],
    ['--ignore <ids>', 'Leaves these rules out, separated by commas.'],
    ['-o, --output <file>', 'Writes to this file instead of stdout.'],
  ],
  notes: [
    'Exit code: 1 if --fail-on, --min-coverage or --fail-on-empty fails, 2 if there is no report, otherwise 0.',
    'The report of a key that has sent no request fails only with --fail-on-empty.',
  ].join('\n'),
  examples: [
    '',
    '--format html --output report.html',
    '--format junit --output report.xml --fail-on error',
    '--fail-on warning --min-coverage 80 --ignore deprecated-in-use',
  ],
  async run({ client, terminal, isJson, paint }, command) {
    const {
      format = isJson ? 'json' : 'text',
      output,
      rules,
      ignore,
      ...thresholds
    } = readOptions(command, optionsSchema)
    if (isJson && format !== 'json') {
      throw new UsageError(
        `--json prints the format json, found --format ${format}; omit one of them`,
      )
    }
    const selection = { rules: readRules('--rules', rules), ignore: readRules('--ignore', ignore) }
    const result: Report = selectRules(await client.send('getReport'), selection)
    const settings = { thresholds, ...(output === undefined && { paint }) }
    await writeOutput(reportFormats[format](result, settings), output, terminal)
    const failures = findFailures(result, thresholds)
    const empty = describeEmpty(result)
    if (empty && failures.length === 0) terminal.stderr.write(`petstore-sandbox: ${empty}\n`)
    if (failures.length > 0) throw new UsageError(failures.join('; '), missedCode)
  },
}

/** @throws {UsageError} If there is no such rule. */
function readRules(option: string, ids: string | undefined): string[] | undefined {
  const names = ids?.split(',').map((id) => id.trim())
  const problem = names?.map(findRuleProblem).find((found) => found !== undefined)
  if (problem !== undefined) throw new UsageError(`${option}: ${problem}`)
  return names
}

function isPercentage(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) <= 100
}

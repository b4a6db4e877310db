import * as z from 'zod/mini'
import { type ReportFormat, reportFormats } from '../../report/format/formats.js'
import type { Report } from '../../report/report.js'
import { findFailures } from '../../report/thresholds.js'
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
    ['-o, --output <file>', 'Writes to this file instead of stdout.'],
  ],
  notes: [
    'Exit code: 1 if --fail-on or --min-coverage fails, 2 if there is no report, otherwise 0.',
    'With one of these options, the report of a key that has sent no request fails.',
  ].join('\n'),
  examples: [
    '',
    '--format html --output report.html',
    '--format junit --output report.xml --fail-on error',
    '--fail-on warning --min-coverage 80',
  ],
  async run({ client, terminal, isJson, paint }, command) {
    const {
      format = isJson ? 'json' : 'text',
      output,
      ...thresholds
    } = readOptions(command, optionsSchema)
    if (isJson && format !== 'json') {
      throw new UsageError(
        `--json prints the format json, found --format ${format}; omit one of them`,
      )
    }
    const result: Report = await client.send('getReport')
    const settings = { thresholds, ...(output === undefined && { paint }) }
    await writeOutput(reportFormats[format](result, settings), output, terminal)
    const failures = findFailures(result, thresholds)
    if (failures.length > 0) throw new UsageError(failures.join('; '), missedCode)
  },
}

function isPercentage(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) <= 100
}

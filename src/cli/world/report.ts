import * as z from 'zod/mini'
import { type ReportFormat, reportFormats } from '../../report/format/formats.js'
import type { Report } from '../../report/report.js'
import { ruleIdsSchema, selectRules } from '../../report/selection.js'
import { describeEmpty, findFailures } from '../../report/thresholds.js'
import { UsageError } from '../../verify/usage-error.js'
import {
  choice,
  flag,
  type OptionValues,
  option,
  outputOption,
  parsed,
  splitList,
} from '../options.js'
import { writeOutput } from '../terminal.js'
import type { WorldSession } from './session.js'

const formats = Object.keys(reportFormats) as ReportFormat[] // the keys of a const table

const rulesSchema = z.pipe(
  z.transform(splitList),
  ruleIdsSchema.check(z.minLength(1, { error: 'ids of rules' })),
)

export const reportOptions = {
  format: choice('--format <name>', 'Format. Default: text, or json with --json.', formats),
  failOn: choice(
    '--fail-on <severity>',
    'Fails if a rule is broken. error: only rules of that severity count.',
    ['warning', 'error'],
  ),
  minCoverage: parsed(
    '--min-coverage <percentage>',
    'Fails if the client has met fewer combinations than that.',
    'a number from 0 to 100',
    (value) => (/^\d+(\.\d+)?$/.test(value) && Number(value) <= 100 ? Number(value) : undefined),
  ),
  failOnEmpty: flag('--fail-on-empty', 'Fails if the key has sent no request.'),
  rules: option('--rules <ids>', 'Reports only these rules, separated by commas.', rulesSchema),
  ignore: option('--ignore <ids>', 'Leaves these rules out, separated by commas.', rulesSchema),
  output: outputOption(),
}

/**
 * Prints the report of the key.
 *
 * @throws {UsageError} If the report misses a threshold.
 */
export async function printReport(
  { client, terminal, isJson, paint }: WorldSession,
  options: OptionValues<typeof reportOptions>,
): Promise<void> {
  const { format = isJson ? 'json' : 'text' } = options
  const result: Report = selectRules(await client.send('getReport'), options)
  const settings = { thresholds: options, ...(options.output === undefined && { paint }) }
  await writeOutput(reportFormats[format](result, settings), options, terminal)
  const failures = findFailures(result, options)
  const empty = describeEmpty(result)
  if (empty && failures.length === 0) terminal.stderr.write(`petstore-sandbox: ${empty}\n`)
  if (failures.length > 0) throw new UsageError(failures.join('; '), 1)
}

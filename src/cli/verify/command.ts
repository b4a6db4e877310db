import { compact, countBy } from 'es-toolkit/array'
import { platform } from '../../engine/platform.js'
import { maskApiKey } from '../../service/api-key.js'
import { isInt64 } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import { toPlainLine } from '../../service/validation/message.js'
import { createHttpSender, listUnencrypted } from '../../verify/http-sender.js'
import {
  countOutcomes,
  toJsonReport,
  toJUnitReport,
  toPlace,
  type VerifyReport,
} from '../../verify/report.js'
import { type CheckResult, type Verification, verify } from '../../verify/run.js'
import { Incomplete, UsageError } from '../../verify/usage-error.js'
import { defineCommand } from '../command.js'
import {
  apiKey,
  baseUrl,
  choice,
  createSendingOptions,
  flag,
  type OptionValues,
  outputOption,
  parsed,
} from '../options.js'
import { checkOutput, createPaint, type Paint, type Terminal, writeOutput } from '../terminal.js'

const formats = { text: toTextReport, json: toJsonReport, junit: toJUnitReport }

const { url, key, ...others } = createSendingOptions()

const verifyOptions = {
  url: url.asRequired(),
  key: key.asRequired(),
  ...others,
  stagingUrl: baseUrl(
    '--staging-url <url>',
    'The {staging_base_url}. Default: staging is not checked.',
    'http://127.0.0.1:4010/staging/v1',
  ),
  stagingKey: apiKey(
    '--staging-key <key>',
    'API key of staging. Default: the key of --key.',
  ).fromVariables('PETSTORE_STAGING_API_KEY'),
  quickstartUrl: baseUrl(
    '--quickstart-url <url>',
    'The {quickstart_base_url}. Default: POST /messages is not checked.',
    'http://127.0.0.1:4010/quickstart',
  ),
  plan: choice('--plan <plan>', 'Plan of the key, to check its limit.', planIds),
  allowsWrites: flag(
    '--allow-writes',
    'Also sends PATCH and POST: sets the quantity of a pet, restores it, and queues a message.',
  ),
  petId: parsed(
    '--pet <petId>',
    'Pet whose quantity --allow-writes changes. Default: the first one.',
    'an int64',
    (value) => (isInt64(value) ? value : undefined),
  ),
  exhausts: flag('--exhaust', 'Also uses up the limit of the key, and sends a request beyond it.'),
  isStrict: flag('--strict', 'Exits with 2 if a check was skipped.'),
  format: choice(
    '--format <format>',
    'Format of the report. Default: text, or json with --json.',
    Object.keys(formats) as (keyof typeof formats)[], // of a const table
  ),
  json: flag('--json', 'Prints the report as JSON, like --format json.'),
  output: outputOption(),
}

/** The options of `verify`. */
type VerifySettings = OptionValues<typeof verifyOptions>

/** Checks a deployment of the service against the specification. */
export const createCommand = defineCommand({
  name: 'verify',
  description: 'Checks a deployment of the service against the specification.',
  options: verifyOptions,
  notes: `Without further options it only reads. It sends the key to the given URLs only, follows no
redirects, waits when the limit of the key is used up, and stops at a 429.
Exit code: 0 if the service agrees with the specification, 1 if it deviates, 2 if it could not be
checked, or if --strict is set and a check was skipped.`,
  examples: [
    'verify --url https://api.shop.example/v1',
    'verify --url http://127.0.0.1:4010/v1 --key sbx_free --plan free',
    'verify --url https://api.shop.example/v1 --staging-url https://staging.shop.example/v1',
    'verify --url https://api.shop.example/v1 --allow-writes --pet 7',
    'verify --url https://api.shop.example/v1 --format junit --output verify.xml',
  ],
  run: runVerify,
})

/**
 * Checks a deployment and prints what was found.
 *
 * @throws {UsageError} If the service deviates, if it could not be checked, or if the report cannot be
 *   written.
 */
async function runVerify(settings: VerifySettings, terminal: Terminal): Promise<void> {
  const { url, stagingUrl, quickstartUrl, key, stagingKey, timeoutSeconds } = settings
  await checkOutput(settings)
  const stop = new AbortController()
  terminal.onStopSignal(() => stop.abort(new Incomplete('interrupted'))) // and undoes changes
  const notify = (line: string) => terminal.stderr.write(`${line}\n`)
  for (const line of listNotes(settings)) notify(line)
  const send = createHttpSender({
    timeoutMs: timeoutSeconds * 1000,
    keys: [key, stagingKey ?? key],
    userAgent: 'petstore-sandbox verify',
  })
  const verification = await verify({
    ...settings,
    ...platform,
    urls: { api: url, staging: stagingUrl, quickstart: quickstartUrl },
    send,
    signal: stop.signal,
    notify,
  })
  const report = toSafeReport({ ...verification, url, key: maskApiKey(key) })
  for (const { petId, field, now, before, curl } of report.unrestored) {
    const advice = curl === undefined ? '' : `; this may undo it: ${curl}`
    notify(`left changed: pet ${petId}: ${field} is ${now}, was ${before}${advice}`)
  }
  const { isStrict, json, format = json ? 'json' : 'text' } = settings
  const paint = createPaint(terminal.stdout, terminal.env)
  await writeOutput(formats[format](report, paint), settings, terminal)
  const failure = findFailure(report, isStrict)
  if (failure === undefined) return
  throw new UsageError(failure, countOutcomes(report).deviates ? 1 : undefined)
}

/** Returns what the user should know before the first request. */
function listNotes(settings: VerifySettings): readonly string[] {
  const { url, stagingUrl, quickstartUrl, allowsWrites, exhausts } = settings
  return compact([
    ...listUnencrypted(compact([url, stagingUrl, quickstartUrl])),
    allowsWrites &&
      'note: --allow-writes changes the quantity of a pet and restores it after each check',
    allowsWrites &&
      quickstartUrl &&
      'note: one message is queued at the quickstart address; it cannot be removed',
    exhausts &&
      'note: --exhaust uses up the limit of the key and sends as few requests beyond it as possible, because more of them may ban the key',
  ])
}

/** Returns why the run is not a success. */
function findFailure(report: Verification, isStrict: boolean): string | undefined {
  const { results, stopped, unrestored } = report
  const { deviates = 0, failed = 0, skipped = 0 } = countOutcomes(report)
  const total = results.length
  if (deviates > 0)
    return `${deviates} of ${total} checks ${deviates === 1 ? 'deviates' : 'deviate'}`
  if (unrestored.length > 0) return 'a change could not be undone'
  if (stopped !== undefined) return `stopped early: ${stopped}`
  if (failed > 0) return `${failed} of ${total} checks had no response`
  if (skipped === 0 || !isStrict) return undefined
  return `--strict allows no skipped checks: ${describeSkipped(report)}`
}

/** Escapes the characters of responses that would control a terminal. */
export function toSafeReport(report: VerifyReport): VerifyReport {
  const toSafe = (_: string, value: unknown) =>
    typeof value === 'string' ? toPlainLine(value) : value
  return JSON.parse(JSON.stringify(report), toSafe)
}

/** Returns the report as lines for people: what deviates and what failed, then a summary. */
export function toTextReport(report: VerifyReport, paint: Paint): string {
  const shown = report.results.filter(
    ({ outcome }) => outcome === 'deviates' || outcome === 'failed',
  )
  return [...shown.map((result) => toBlock(result, paint)), toSummary(report, paint)].join('\n')
}

function toBlock({ id, section, sentence, outcome, reason, findings }: CheckResult, paint: Paint) {
  const title = `${paint(outcome === 'failed' ? 'yellow' : 'red', outcome)}  ${paint('bold', id)}`
  const lines = [`${title}  ${toPlace(section)}`, `  "${sentence}"`]
  if (reason !== undefined) lines.push(`  ${reason}`)
  for (const { expected, actual, curl } of findings) {
    lines.push(`  expected  ${expected}`, `  actual    ${actual}`)
    lines.push(...curl.map((command) => `  ${paint('dim', command)}`))
  }
  return `${lines.join('\n')}\n`
}

/** Returns one line that begins with what was not checked, and lines about the run. */
function toSummary(report: VerifyReport, paint: Paint): string {
  const { results, requests, url, key, stopped, unreliable } = report
  const { agrees = 0, deviates = 0, failed = 0 } = countOutcomes(report)
  const counts = `${paint('green', `${agrees} agree`)}, ${deviates} deviate, ${failed} could not be checked`
  const lines = unreliable.map((line) => `  unreliable: ${line}`)
  if (stopped !== undefined) lines.push(`  stopped early: ${stopped}`)
  const place = `${url} with the key ${key}, ${requests} requests`
  const title = `${results.length} checks of ${place}: ${describeSkipped(report)}`
  return [`${title}, ${counts}`, ...lines, ''].join('\n')
}

/** Returns the number of skipped checks with the reasons, the most frequent one first. */
export function describeSkipped({ results }: Verification): string {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  const parts = Object.entries(countBy(skipped, ({ reason = '' }) => reason))
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, number]) => `${number} ${reason}`)
  return `${skipped.length} skipped${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`
}

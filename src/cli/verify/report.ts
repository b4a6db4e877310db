import { countBy } from 'es-toolkit/array'
import { toPlainLine } from '../../service/validation/message.js'
import { countOutcomes, toPlace, type VerifyReport } from '../../verify/report.js'
import type { CheckResult, Verification } from '../../verify/run.js'
import type { Paint } from '../terminal.js'

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

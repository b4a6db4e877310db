import { countBy } from 'es-toolkit/array'
import { type JunitCase, toJunitDocument } from '../../report/format/junit-document.js'
import { joinLines } from '../../report/format/markup.js'
import { toPlainLine } from '../../service/validation/message.js'
import type { CheckResult, Verification } from '../../verify/run.js'
import { toJson } from '../render.js'
import type { Paint } from '../terminal.js'

/** A verification, and what was verified. */
export interface VerifyReport extends Verification {
  readonly url: string
  /** Masked. */
  readonly key: string
}

/** Escapes the characters of responses that would control a terminal. */
export function toSafeReport(report: VerifyReport): VerifyReport {
  const toSafe = (_: string, value: unknown) =>
    typeof value === 'string' ? toPlainLine(value) : value
  return JSON.parse(JSON.stringify(report), toSafe)
}

/** Returns the number of results with each outcome. */
export function countOutcomes({ results }: Verification): {
  [Each in CheckResult['outcome']]?: number
} {
  return countBy(results, ({ outcome }) => outcome)
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

/** Returns the place of a statement, such as `§4.1`. */
function toPlace(section: string): string {
  return section === 'introduction' ? section : `§${section}`
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
export function describeSkipped({ results }: VerifyReport): string {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  const parts = Object.entries(countBy(skipped, ({ reason = '' }) => reason))
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, number]) => `${number} ${reason}`)
  return `${skipped.length} skipped${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`
}

/** Returns the report as JSON. docs/verify.md lists the fields. */
export function toJsonReport(report: VerifyReport): string {
  const { url, key, requests, stopped = null, unreliable, unrestored, results } = report
  return toJson({ url, key, requests, stopped, unreliable, unrestored, checks: results })
}

/** Returns the report as JUnit XML: one test case for each check. */
export function toJUnitReport({ url, key, requests, unreliable, results }: VerifyReport): string {
  const properties = [
    ['key', key],
    ['requests', String(requests)],
    ...unreliable.map((line) => ['unreliable', line] as const),
  ] as const
  return toJunitDocument([{ name: `verify ${url}`, properties, cases: results.map(toCase) }])
}

const outcomeTypes = { deviates: 'failure', failed: 'error', skipped: 'skipped' } as const

function toCase({ id, section, sentence, outcome, reason = '', findings }: CheckResult): JunitCase {
  const named = { classname: toPlace(section), name: `${id}: ${sentence}` }
  if (outcome === 'agrees') return named
  const lines = findings.flatMap(({ expected, actual, curl }) => {
    return [`expected ${expected}`, `actual ${actual}`, ...curl]
  })
  const [first] = findings
  const message = first ? `expected ${first.expected}, found ${first.actual}` : reason
  return { ...named, outcome: { type: outcomeTypes[outcome], message, details: joinLines(lines) } }
}

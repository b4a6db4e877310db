import { countBy } from 'es-toolkit/array'
import { type JunitCase, toJunitDocument } from '../report/format/junit-document.js'
import { joinLines } from '../report/format/markup.js'
import type { CheckResult, Verification } from './run.js'

/** A verification, and what was verified. */
export interface VerifyReport extends Verification {
  readonly url: string
  /** Masked. */
  readonly key: string
}

/** Returns the number of results with each outcome. */
export function countOutcomes({ results }: Verification): {
  [Each in CheckResult['outcome']]?: number
} {
  return countBy(results, ({ outcome }) => outcome)
}

/** Returns the place of a statement, such as `§4.1`. */
export function toPlace(section: string): string {
  return section === 'introduction' ? section : `§${section}`
}

/** Returns the report as JSON. docs/verify.md lists the fields. */
export function toJsonReport(report: VerifyReport): string {
  const { url, key, requests, stopped = null, unreliable, unrestored, results } = report
  const shown = { url, key, requests, stopped, unreliable, unrestored, checks: results }
  return `${JSON.stringify(shown, null, 2)}\n`
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

import type { CoverageCell, Report, RuleResult } from '../report.js'
import { isBelow, isFailure } from '../thresholds.js'
import { describeCell } from './coverage.js'
import type { FormatSettings } from './formatter.js'
import { type JunitCase, toJunitDocument } from './junit-document.js'
import { joinLines, type Markup } from './markup.js'
import {
  describeCoverage,
  describeEvidence,
  describeKey,
  describeOmitted,
  describeRequests,
  describeWorld,
} from './words.js'

/**
 * Formats a report as JUnit XML. The suite `conduct` has a test case for each rule: a broken rule is a
 * failure, or if it is only a warning and `failOn` is not `warning`, a test case with output. The suite
 * `coverage` has a test case for each combination; a missing one is skipped.
 */
export function toJunit(report: Report, { thresholds = {} }: FormatSettings = {}): string {
  const { failOn = 'error', minCoverage } = thresholds
  const conduct = report.conduct.map((rule) => toRuleCase(rule, isFailure(rule, failOn)))
  const coverage = report.coverage.cells.map(toCellCase)
  if (minCoverage !== undefined) coverage.unshift(toThresholdCase(report, minCoverage))
  const properties = [
    ['world', describeWorld(report)],
    ['key', describeKey(report)],
    ['requests', describeRequests(report)],
    ['unattributed', String(report.requests.unattributed)],
    ['coverage', describeCoverage(report)],
  ] as const
  const common = { properties, timestamp: report.createdAt }
  return toJunitDocument([
    { ...common, name: 'conduct', cases: conduct },
    { ...common, name: 'coverage', cases: coverage },
  ])
}

function toRuleCase(rule: RuleResult, isFailed: boolean): JunitCase {
  const { id, title, outcome, finding } = rule
  const name = `${id}: ${title}`
  if (outcome === 'unseen') return { name, outcome: { type: 'skipped', message: finding } }
  if (outcome === 'kept') return { name }
  const details = describeRule(rule)
  if (isFailed) return { name, outcome: { type: 'failure', message: finding, details } }
  return { name, outcome: { type: 'system-out', details } }
}

function describeRule(rule: RuleResult): Markup {
  const { severity, finding, evidence, fix, source } = rule
  const omitted = describeOmitted(rule)
  return joinLines([
    `${severity}: ${finding}`,
    ...evidence.map((each) => `#${each.request} ${each.at} ${describeEvidence(each)}`),
    ...(omitted ? [omitted] : []),
    `Fix: ${fix}`,
    `Source: ${source}`,
  ])
}

function toCellCase(cell: CoverageCell): JunitCase {
  const name = describeCell(cell)
  return cell.count > 0 ? { name } : { name, outcome: { type: 'skipped', message: cell.howTo } }
}

function toThresholdCase(report: Report, minCoverage: number): JunitCase {
  const name = `at least ${minCoverage} % of the combinations`
  if (!isBelow(report, minCoverage)) return { name }
  const message = `found ${describeCoverage(report)}`
  return { name, outcome: { type: 'failure', message, details: message } }
}

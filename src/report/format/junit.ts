import type { CoverageCell, Report, RuleResult } from '../report.js'
import { isBelow, isFailure } from '../thresholds.js'
import { describeCell } from './coverage.js'
import type { FormatSettings } from './formatter.js'
import { joinLines, type Markup, markup } from './markup.js'
import {
  describeCoverage,
  describeEvidence,
  describeKey,
  describeOmitted,
  describeRequests,
  describeWorld,
} from './words.js'

/** A test case: `outcome` is undefined for one that has passed. */
interface Case {
  readonly name: string
  readonly outcome?: Outcome | undefined
}

type Outcome =
  | { readonly type: 'failure'; readonly message: string; readonly details: Markup | string }
  | { readonly type: 'skipped'; readonly message: string }
  | { readonly type: 'system-out'; readonly details: Markup }

/**
 * Formats a report as JUnit XML that GitLab and Jenkins read. The suite `conduct` has a test case for
 * each rule: a broken rule is a failure, or if it is only a warning and `failOn` is not `warning`, a
 * test case with output. The suite `coverage` has one for each combination. Those that the client has
 * not met are skipped.
 */
export function toJunit(report: Report, { thresholds = {} }: FormatSettings = {}): string {
  const { failOn = 'error', minCoverage } = thresholds
  const conduct = report.conduct.map((rule) => toRuleCase(rule, isFailure(rule, failOn)))
  const coverage = report.coverage.cells.map(toCellCase)
  if (minCoverage !== undefined) coverage.unshift(toThresholdCase(report, minCoverage))
  const { tests, failures } = countCases([...conduct, ...coverage])
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="petstore-sandbox" tests="${tests}" failures="${failures}" errors="0" time="0">
${toSuite('conduct', conduct, report)}
${toSuite('coverage', coverage, report)}
</testsuites>
`
  return source
}

function toRuleCase(rule: RuleResult, isFailed: boolean): Case {
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

function toCellCase(cell: CoverageCell): Case {
  const name = describeCell(cell)
  return cell.count > 0 ? { name } : { name, outcome: { type: 'skipped', message: cell.howTo } }
}

function toThresholdCase(report: Report, minCoverage: number): Case {
  const name = `at least ${minCoverage} % of the combinations`
  if (!isBelow(report, minCoverage)) return { name }
  const message = `found ${describeCoverage(report)}`
  return { name, outcome: { type: 'failure', message, details: message } }
}

function toSuite(name: string, cases: readonly Case[], report: Report): Markup {
  const { tests, failures, skipped } = countCases(cases)
  const properties = [
    ['world', describeWorld(report)],
    ['key', describeKey(report)],
    ['requests', describeRequests(report)],
    ['unattributed', String(report.requests.unattributed)],
    ['coverage', describeCoverage(report)],
  ]
  // The attribute has no time zone in the schema of JUnit.
  const timestamp = report.createdAt.replace(/(\.\d+)?Z$/, '')
  return markup`  <testsuite name="${name}" tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}" time="0" timestamp="${timestamp}">
    <properties>
${joinLines(properties.map(([key, value]) => markup`      <property name="${key}" value="${value}"/>`))}
    </properties>
${joinLines(cases.map((entry) => toCase(entry, `petstore-sandbox.${name}`)))}
  </testsuite>`
}

function toCase({ name, outcome }: Case, classname: string): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`
  return outcome ? markup`${start}>${toOutcome(outcome)}</testcase>` : markup`${start}/>`
}

function toOutcome(outcome: Outcome): Markup {
  if (outcome.type === 'skipped') return markup`<skipped message="${outcome.message}"/>`
  if (outcome.type === 'system-out') return markup`<system-out>${outcome.details}</system-out>`
  return markup`<failure message="${outcome.message}">${outcome.details}</failure>`
}

function countCases(cases: readonly Case[]): Record<'tests' | 'failures' | 'skipped', number> {
  const count = (type: string) => cases.filter(({ outcome }) => outcome?.type === type).length
  return { tests: cases.length, failures: count('failure'), skipped: count('skipped') }
}

import { expect, test } from 'vitest'
import type { RuleResult, Severity } from '../../src/report/report.js'
import { findFailures, type Thresholds } from '../../src/report/thresholds.js'
import { brokenError, brokenWarning, createRule, emptyReport, fullReport } from './reports.js'

const unmet = 'coverage must be at least 41 %, found 17 of 42 combinations (40 %)'
const none = 'the key has sent no request'

test.each<[Thresholds, readonly string[]]>([
  [{}, []],
  [{ failOn: 'error' }, ['1 rule is broken: retry-after']],
  [{ failOn: 'warning' }, ['2 rules are broken: deprecated-in-use, retry-after']],
  [{ minCoverage: 40 }, []],
  [{ minCoverage: 41 }, [unmet]],
  [{ failOn: 'error', minCoverage: 41 }, ['1 rule is broken: retry-after', unmet]],
])(
  'a report with two broken rules and a coverage of 40.5 % fails %j with %j',
  (thresholds, failures) => {
    expect(findFailures(fullReport, thresholds)).toEqual(failures)
  },
)

test.each<[Thresholds, readonly string[]]>([
  [{}, []],
  [{ failOn: 'error', minCoverage: 90 }, []],
  [{ failOnEmpty: true }, [none]],
  [{ failOn: 'error', minCoverage: 90, failOnEmpty: true }, [none]],
])('a report of no requests fails %j with %j', (thresholds, failures) => {
  expect(findFailures(emptyReport, thresholds)).toEqual(failures)
})

test('a report of a run without requests fails with failOnEmpty', () => {
  const report = { ...emptyReport, world: null }
  const wanted = ['no test has sent a request to a sandbox']
  expect(findFailures(report, { failOnEmpty: true })).toEqual(wanted)
})

test.each<[RuleResult[], Severity, number]>([
  [[createRule(), createRule({ outcome: 'unseen' })], 'warning', 0],
  [[createRule(), brokenWarning], 'error', 0],
  [[createRule(), brokenWarning], 'warning', 1],
  [[brokenError, brokenWarning], 'warning', 1],
])('the rules %# fail on a %s with %i clauses', (conduct, failOn, count) => {
  expect(findFailures({ ...fullReport, conduct }, { failOn })).toHaveLength(count)
})

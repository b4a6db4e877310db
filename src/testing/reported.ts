import type { WorldRequests } from '../report/merge.js'
import { findRuleProblem, type RuleSelection } from '../report/selection.js'

/** Value of the fixture `reported`: whether the report has the requests of a test, or its rules. */
export type Reported = boolean | RuleSelection

/**
 * Returns the requests of a test that a reporter assesses.
 *
 * @throws {TypeError} If a rule is unknown.
 */
export function selectReported(
  reported: Reported,
  requests: readonly WorldRequests[],
): readonly WorldRequests[] {
  if (typeof reported === 'boolean') return reported ? requests : []
  const { rules, ignore } = reported
  const problem = [...(rules ?? []), ...(ignore ?? [])].map(findRuleProblem).find(Boolean)
  if (problem !== undefined) throw new TypeError(`reported: ${problem}`)
  return requests.map((world) => ({ ...world, rules, ignore }))
}

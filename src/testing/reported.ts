import type { WorldRequests } from '../report/merge.js'
import { type RuleSelection, selectionSchema } from '../report/selection.js'
import { describeMismatch, validate } from '../service/validation/validate.js'

/** Value of the fixture `reported`: whether to report the requests of a test, or the rules to apply. */
export type Reported = boolean | RuleSelection

/**
 * Returns the requests of a test that a reporter assesses.
 *
 * @throws {TypeError} If a field or a rule is unknown.
 */
export function selectReported(
  reported: Reported,
  requests: readonly WorldRequests[],
): readonly WorldRequests[] {
  if (typeof reported === 'boolean') return reported ? requests : []
  const result = validate(selectionSchema, reported, ['reported'])
  if (result.ok) return requests.map((world) => ({ ...world, ...result.value }))
  throw new TypeError(result.mismatches.map((each) => describeMismatch(each)).join('; '))
}

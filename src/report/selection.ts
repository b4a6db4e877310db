import { suggestName } from '../service/validation/nearest-name.js'
import type { Report } from './report.js'
import { rules } from './rules/rules.js'

/** Which rules a report has. */
export interface RuleSelection {
  /** Ids of the rules. Default: all. */
  readonly rules?: readonly string[] | undefined
  /** Ids of rules that are left out. */
  readonly ignore?: readonly string[] | undefined
}

/** Whether a selection has a rule. */
export function isSelected(id: string, { rules: only, ignore = [] }: RuleSelection): boolean {
  return (only?.includes(id) ?? true) && !ignore.includes(id)
}

/** Returns a report without the rules that are not selected. */
export function selectRules(report: Report, selection: RuleSelection): Report {
  return { ...report, conduct: report.conduct.filter(({ id }) => isSelected(id, selection)) }
}

/** Returns what is wrong with the id of a rule; undefined if there is such a rule. */
export function findRuleProblem(id: string): string | undefined {
  const known = rules.map((rule) => rule.id)
  if (known.includes(id)) return undefined
  return `there is no rule ${JSON.stringify(id)}${suggestName(id, known)}`
}

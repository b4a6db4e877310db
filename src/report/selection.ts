import * as z from 'zod/mini'
import type { Report } from './report.js'
import { rules } from './rules/rules.js'

/** The rules of a report. */
export interface RuleSelection {
  /** Ids of the rules. Default: all. */
  readonly rules?: readonly string[] | undefined
  /** Ids of omitted rules. */
  readonly ignore?: readonly string[] | undefined
}

/** Schema of ids of rules. */
export const ruleIdsSchema = z.array(z.enum(rules.map(({ id }) => id)))

/** Schema of a selection. */
export const selectionSchema = z.strictObject({
  rules: z.optional(ruleIdsSchema),
  ignore: z.optional(ruleIdsSchema),
})

/** Whether a selection has a rule. */
export function isSelected(id: string, { rules: only, ignore = [] }: RuleSelection): boolean {
  return (only?.includes(id) ?? true) && !ignore.includes(id)
}

/** Returns a report without the rules that are not selected. */
export function selectRules(report: Report, selection: RuleSelection): Report {
  return { ...report, conduct: report.conduct.filter(({ id }) => isSelected(id, selection)) }
}

import { toCount } from '../../service/validation/message.js'
import type { Evidence, Report, RuleResult, Severity } from '../report.js'

/** Returns the name of the world: `production/default/ci`. */
export function describeWorld({ world }: Report): string {
  if (!world) return 'all worlds'
  return [world.environment, world.scenario, world.label].filter((part) => part !== '').join('/')
}

/** Returns the key and its plan: `sbx_pro… (plan pro)`. */
export function describeKey({ apiKey, plan }: Report): string {
  const key = apiKey ?? 'all keys'
  return plan ? `${key} (plan ${plan})` : key
}

/** Returns the number of requests: `1200 received, the last 1000 of them assessed`. */
export function describeRequests({ requests: { received, assessed } }: Report): string {
  if (received === assessed) return `${received}`
  return `${received} received, the last ${assessed} of them assessed`
}

/** Returns the line about requests that cannot be attributed to a client. */
export function describeUnattributed(count: number): string {
  return `a valid key: ${toCount(count, 'requests')}, of any client and not assessed`
}

/** Returns the observation of a request, and the test that sent it. */
export function describeEvidence({ observation, test }: Evidence): string {
  return test === undefined ? observation : `${observation}; in ${test}`
}

/** Returns how many violations the evidence omits: `and 12 later violations`. */
export function describeOmitted({ violations, evidence }: RuleResult): string | undefined {
  const omitted = violations - evidence.length
  return omitted > 0 ? `and ${toCount(omitted, 'later violations')}` : undefined
}

/** Returns the share of the combinations that the client has met: `14 of 60 combinations (23 %)`. */
export function describeCoverage({ coverage: { met, possible } }: Report): string {
  return `${met} of ${toCount(possible, 'combinations')} (${toPercentage(met, possible)} %)`
}

/** Returns a percentage, rounded down, so that it is 100 only for the whole. */
export function toPercentage(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((100 * part) / whole)
}

/** Returns the numbers of rules: the broken ones by severity, the others by outcome. */
export function countRules({ conduct }: Report): Record<Severity | 'kept' | 'unseen', number> {
  const counts = { error: 0, warning: 0, kept: 0, unseen: 0 }
  for (const { outcome, severity } of conduct)
    counts[outcome === 'broken' ? severity : outcome] += 1
  return counts
}

/** Returns the numbers of rules: `1 error, 2 warnings, 8 kept, 3 unseen`. */
export function describeConduct(report: Report): string {
  const { error, warning, kept, unseen } = countRules(report)
  const broken = `${toCount(error, 'errors')}, ${toCount(warning, 'warnings')}`
  return `${broken}, ${kept} kept, ${unseen} unseen`
}

/** Returns the rules: broken errors, broken warnings, kept and unseen rules. */
export function sortRules(rules: readonly RuleResult[]): readonly RuleResult[] {
  return rules.toSorted((a, b) => toRank(a) - toRank(b))
}

function toRank({ outcome, severity }: RuleResult): number {
  if (outcome === 'broken') return severity === 'error' ? 0 : 1
  return outcome === 'kept' ? 2 : 3
}

/** States where forecasts start; the smallest plan follows. */
export const forecastStart = 'With windows that are unused at the start,'

/** Returns the smallest plan as a clause. */
export function describeSmallestPlan({ smallestPlan }: Report): string {
  return smallestPlan
    ? `${smallestPlan} is the smallest plan without a rejected request`
    : 'every plan rejects requests'
}

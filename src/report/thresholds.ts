import { describeCoverage } from './format/words.js'
import type { Report, RuleResult, Severity } from './report.js'

/** The thresholds of a report. Without a threshold, no report fails. */
export interface Thresholds {
  /** `error`: a broken rule of severity error fails. `warning`: any broken rule fails. */
  readonly failOn?: Severity | undefined
  /** Minimum share of the combinations that the client must have met, 0 to 100. */
  readonly minCoverage?: number | undefined
  /** Whether a report without requests fails. Otherwise it misses no threshold. */
  readonly failOnEmpty?: boolean | undefined
}

/** Whether a rule misses the threshold. */
export function isFailure({ outcome, severity }: RuleResult, failOn: Severity): boolean {
  return outcome === 'broken' && (severity === 'error' || failOn === 'warning')
}

/** Whether a report misses `minCoverage`. */
export function isBelow({ coverage: { met, possible } }: Report, minCoverage: number): boolean {
  return met * 100 < minCoverage * possible
}

/** Returns a message for a report without requests; otherwise undefined. */
export function describeEmpty({ requests, world }: Report): string | undefined {
  if (requests.assessed > 0) return undefined
  return world ? 'the key has sent no request' : 'no test has sent a request to a sandbox'
}

/** Returns a clause for each threshold that a report misses: `1 rule is broken: jitter`. */
export function findFailures(
  report: Report,
  { failOn, minCoverage, failOnEmpty = false }: Thresholds,
): string[] {
  const empty = describeEmpty(report)
  if (empty !== undefined) return failOnEmpty ? [empty] : []
  const failures: string[] = []
  const broken = failOn ? report.conduct.filter((rule) => isFailure(rule, failOn)) : []
  if (broken.length > 0) {
    const subject = broken.length === 1 ? '1 rule is' : `${broken.length} rules are`
    failures.push(`${subject} broken: ${broken.map(({ id }) => id).join(', ')}`)
  }
  if (minCoverage !== undefined && isBelow(report, minCoverage)) {
    failures.push(`coverage must be at least ${minCoverage} %, found ${describeCoverage(report)}`)
  }
  return failures
}

import type { PlanId } from '../contract/plans.js'
import { toTimestamp } from '../contract/timestamp.js'
import type { Work } from '../validation/slices.js'
import type { KeyFacts } from '../world/journal/fact-log.js'
import { CoverageCounter } from './coverage.js'
import type { Report } from './report.js'
import { type Examiner, Findings, type RuleContext } from './rule.js'
import { rules } from './rules/rules.js'
import { emptyTimeline, TimelineCounter } from './timeline.js'
import { findSmallestPlan, forecastPlans, type Limits } from './what-if.js'

/** What a report states and assumes besides the requests. */
export interface ReportContext extends RuleContext {
  readonly world: NonNullable<Report['world']>
  /** Masked. */
  readonly apiKey: string
  readonly plan: PlanId
  readonly limits: Limits
  /** Status of a successful sendMessage response (A10). */
  readonly messageStatus: number
}

/** Number of requests after which another request of the process may run. */
const slice = 500

/** Assesses the requests of one key. */
export function* toReport(facts: KeyFacts, context: ReportContext): Work<Report> {
  const { size, firstMs, lastMs } = facts
  const timeline = size > 0 ? new TimelineCounter(firstMs, lastMs) : undefined
  const coverage = new CoverageCounter(context.messageStatus)
  const examinations = rules.map((rule) => {
    const findings = new Findings(rule)
    return { findings, examiner: rule.examine(findings, context) }
  })
  const examiners: readonly Examiner[] = examinations.map(({ examiner }) => examiner)
  const arrivals = new Float64Array(size)
  let assessed = 0
  let metered = 0
  for (const request of facts) {
    if (assessed % slice === 0) yield
    assessed += 1
    timeline?.add(request)
    coverage.add(request)
    for (const examiner of examiners) examiner.see(request)
    if (request.has('metered')) {
      arrivals[metered] = request.arrivedAtMs
      metered += 1
    }
  }
  for (const examiner of examiners) {
    examiner.end?.()
    yield
  }
  const whatIf = yield* forecastPlans(arrivals.subarray(0, metered).sort(), context.limits)
  const { world, apiKey, plan, nowMs } = context
  return {
    ...{ world, apiKey, plan, createdAt: toTimestamp(nowMs) },
    requests: {
      received: facts.received,
      assessed,
      firstAt: size > 0 ? toTimestamp(firstMs) : null,
      lastAt: size > 0 ? toTimestamp(lastMs) : null,
    },
    conduct: examinations.map(({ findings }) => findings.toResult()),
    coverage: coverage.toCoverage(),
    whatIf,
    smallestPlan: findSmallestPlan(whatIf),
    timeline: timeline?.toTimeline() ?? emptyTimeline,
  }
}

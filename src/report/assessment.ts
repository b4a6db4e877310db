import { toTimestamp } from '../service/timestamp.js'
import type { RequestFact } from '../world/journal/facts.js'
import { CoverageCounter } from './coverage.js'
import type { PlanForecast, Report } from './report.js'
import { type Examiner, Findings, type RuleContext } from './rule.js'
import { rules } from './rules/rules.js'
import { isSelected, type RuleSelection } from './selection.js'
import { emptyTimeline, TimelineCounter } from './timeline.js'
import { addForecasts, findSmallestPlan, forecastPlans, type Limits } from './what-if.js'

/** The settings for the assessment of one client. */
export interface ClientContext extends RuleContext, RuleSelection {
  readonly limits: Limits
  /** Status of a successful sendMessage response (A10). */
  readonly messageStatus: number
  /** The test that sent the requests; undefined outside of a test run. */
  readonly test?: string | undefined
}

/** Times of the first and the last response, in milliseconds since the epoch. */
export interface Span {
  /** Infinity for none. */
  readonly firstMs: number
  /** -Infinity for none. */
  readonly lastMs: number
}

/** Returns the times of the responses. The clock of a world can move back. */
export function findSpan(facts: readonly RequestFact[]): Span {
  let firstMs = Infinity
  let lastMs = -Infinity
  for (const { atMs } of facts) {
    firstMs = Math.min(firstMs, atMs)
    lastMs = Math.max(lastMs, atMs)
  }
  return { firstMs, lastMs }
}

/** Assesses one client after the other. */
export class Assessment {
  readonly #results = rules.map((rule) => ({ rule, findings: new Findings(rule) }))
  readonly #coverage: CoverageCounter
  readonly #timeline: TimelineCounter | undefined
  readonly #span: Span
  #assessed = 0
  #whatIf: PlanForecast[] | undefined

  /**
   * @param span Times of the responses of all clients.
   * @param messageStatus Status of sendMessage in the combinations of the report.
   */
  constructor(span: Span, messageStatus: number) {
    this.#span = span
    const { firstMs, lastMs } = span
    if (firstMs <= lastMs) this.#timeline = new TimelineCounter(firstMs, lastMs)
    this.#coverage = new CoverageCounter(messageStatus)
  }

  /** Assesses the requests of one client. */
  add(facts: readonly RequestFact[], context: ClientContext): void {
    const selected = this.#results.filter(({ rule }) => isSelected(rule.id, context))
    const examiners: readonly Examiner[] = selected.map(({ rule, findings }) => {
      findings.test = context.test
      return rule.examine(findings, context)
    })
    const arrivals = new Float64Array(facts.length)
    let seen = 0
    let metered = 0
    for (const request of facts) {
      seen += 1
      this.#timeline?.add(request)
      this.#coverage.add(request, context.messageStatus)
      for (const examiner of examiners) examiner.see(request)
      if (request.traits.metered) {
        arrivals[metered] = request.arrivedAtMs
        metered += 1
      }
    }
    for (const examiner of examiners) examiner.end?.()
    const whatIf = forecastPlans(arrivals.subarray(0, metered).sort(), context.limits)
    this.#whatIf = this.#whatIf ? addForecasts(this.#whatIf, whatIf) : whatIf
    this.#assessed += seen
  }

  /**
   * Returns the results.
   *
   * @param received Number of requests, including those that are not assessed.
   * @param unattributed Number of requests without a valid key, which are not assessed.
   */
  toResults(
    received: number,
    unattributed = 0,
  ): Pick<Report, 'requests' | 'conduct' | 'coverage' | 'whatIf' | 'smallestPlan' | 'timeline'> {
    const whatIf = this.#whatIf ?? []
    const { firstMs, lastMs } = this.#span
    return {
      requests: {
        received,
        assessed: this.#assessed,
        unattributed,
        firstAt: firstMs <= lastMs ? toTimestamp(firstMs) : null,
        lastAt: firstMs <= lastMs ? toTimestamp(lastMs) : null,
      },
      conduct: this.#results.map(({ findings }) => findings.toResult()),
      coverage: this.#coverage.toCoverage(),
      whatIf,
      smallestPlan: findSmallestPlan(whatIf),
      timeline: this.#timeline?.toTimeline() ?? emptyTimeline,
    }
  }
}

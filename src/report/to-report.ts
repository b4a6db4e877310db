import type { PlanId } from '../service/plans.js'
import { toTimestamp } from '../service/timestamp.js'
import type { KeyFacts } from '../world/journal/facts.js'
import { Assessment, type ClientContext, findSpan } from './assessment.js'
import type { Report } from './report.js'

/** What a report states and assumes besides the requests. */
export interface ReportContext extends ClientContext {
  readonly world: NonNullable<Report['world']>
  /** Masked. */
  readonly apiKey: string
  readonly plan: PlanId
}

/** Assesses the requests of one key. */
export function toReport(
  { received, unattributed, facts }: KeyFacts,
  context: ReportContext,
): Report {
  const assessment = new Assessment(findSpan(facts), context.messageStatus)
  assessment.add(facts, context)
  const { world, apiKey, plan, nowMs } = context
  const createdAt = toTimestamp(nowMs)
  return { world, apiKey, plan, createdAt, ...assessment.toResults(received, unattributed) }
}

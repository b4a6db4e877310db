import type { PlanId } from '../service/plans.js'
import { toTimestamp } from '../service/timestamp.js'
import type { RequestFact } from '../world/journal/facts.js'
import type { RequestFacts } from '../world/journal/journal.js'
import { Assessment, type ClientContext, findSpan } from './assessment.js'
import type { Report } from './report.js'

/** What a report states and assumes besides the requests. */
export interface ReportContext extends ClientContext {
  readonly world: NonNullable<Report['world']>
  /** Masked. */
  readonly apiKey: string
  readonly plan: PlanId
}

/** The requests of one key. */
interface KeyFacts {
  /** Number of requests, including those that are no longer retained. */
  readonly received: number
  /** Number of requests to its world without a valid key, which any client may have sent. */
  readonly unattributed: number
  /** The retained requests, in the order of their responses. */
  readonly facts: readonly RequestFact[]
}

/** Returns the requests of an account: a plan, or a key that the scenario lists. */
export function selectFacts({ received, items }: RequestFacts, account: string): KeyFacts {
  const facts = items.filter((fact) => fact.account === account)
  return { received: received.get(account) ?? 0, unattributed: received.get('') ?? 0, facts }
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

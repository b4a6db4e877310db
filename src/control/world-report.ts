import type { Report } from '../report/report.js'
import type { RuleContext } from '../report/rule.js'
import { toReport } from '../report/to-report.js'
import type { Work } from '../validation/slices.js'
import type { WorldState } from '../world/world.js'

/** The key that a report assesses. */
interface ReportedKey {
  /** Its account: a plan, or a key that the scenario lists. */
  readonly accountId: string
  /** Masked. */
  readonly apiKey: string
  /** The world of the same keys in the other environment. */
  readonly counterpart: WorldState | undefined
  /** Whether the report may state the use of the key in the other environment. */
  readonly knowsCounterpart: boolean
}

/** Assesses the requests of a key of a world. */
export function toWorldReport(world: WorldState, key: ReportedKey): Work<Report> {
  const { accountId, apiKey } = key
  return toReport(world.journal.facts.read(accountId), {
    world: world.name,
    apiKey,
    plan: world.quota.copy(accountId).plan,
    nowMs: world.clock.now(),
    limits: { plans: world.seed.plans, ban: world.rules.ban },
    messageStatus: world.rules.messageStatus,
    elsewhere: key.knowsCounterpart ? toElsewhere(world, key) : undefined,
  })
}

function toElsewhere(
  { name }: WorldState,
  { accountId, counterpart }: ReportedKey,
): RuleContext['elsewhere'] {
  const environment = name.environment === 'production' ? 'staging' : 'production'
  return { environment, requests: counterpart?.journal.facts.countOf(accountId) ?? 0 }
}

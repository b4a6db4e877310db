import type { Report } from '../report/report.js'
import type { RuleContext } from '../report/rule.js'
import { selectFacts, toReport } from '../report/to-report.js'
import { maskApiKey } from '../service/api-key.js'
import { plans } from '../service/plans.js'
import type { WorldState } from '../world/world.js'

/** The key that a report assesses. */
interface ReportedKey {
  /** Its account: a plan, or a key that the scenario lists. */
  readonly accountId: string
  /** Masked. */
  readonly apiKey: string
  /** Whether the key was also used in the other environment. Undefined if it is not known. */
  readonly isUsedElsewhere: boolean | undefined
}

/** Assesses the requests of a key of a world. */
export function toWorldReport(world: WorldState, key: ReportedKey): Report {
  const { accountId, apiKey } = key
  return toReport(selectFacts(world.journal.facts, accountId), {
    world: world.name,
    apiKey,
    plan: world.quota.copy(accountId).plan,
    nowMs: world.clock.now(),
    limits: { plans: world.seed.plans, ban: world.rules.ban },
    messageStatus: world.rules.messageStatus,
    elsewhere: toElsewhere(world, key),
  })
}

/** Assesses the requests of an account of a world: a plan, or a key that the scenario lists. */
export function toAccountReport(world: WorldState, accountId: string): Report {
  const apiKey = maskApiKey(Object.hasOwn(plans, accountId) ? `sbx_${accountId}` : accountId)
  return toWorldReport(world, { accountId, apiKey, isUsedElsewhere: undefined })
}

function toElsewhere(
  { name }: WorldState,
  { isUsedElsewhere }: ReportedKey,
): RuleContext['elsewhere'] {
  if (isUsedElsewhere === undefined) return undefined
  const environment = name.environment === 'production' ? 'staging' : 'production'
  return { environment, isUsed: isUsedElsewhere }
}

import { toTimestamp } from '../service/timestamp.js'
import type { RequestFacts } from '../world/journal/journal.js'
import type { WorldState } from '../world/world.js'
import { Assessment, findSpan } from './assessment.js'
import type { Report } from './report.js'

/** The key whose requests a report assesses. */
interface ReportedKey {
  /** Its account: a plan, or a key that the scenario lists. */
  readonly accountId: string
  /** Masked. */
  readonly apiKey: string
  /** Whether the key was also used in the other environment. Undefined if it is not known. */
  readonly isUsedElsewhere?: boolean | undefined
}

/** Returns the requests of an account: a plan, or a key that the scenario lists. */
export function selectFacts({ received, items }: RequestFacts, account: string) {
  const facts = items.filter((fact) => fact.account === account)
  return { received: received.get(account) ?? 0, unattributed: received.get('') ?? 0, facts }
}

/**
 * Assesses the requests of a key of a world.
 *
 * @throws {RangeError} If the world has no such account.
 */
export function toReport(
  world: WorldState,
  { accountId, apiKey, isUsedElsewhere }: ReportedKey,
): Report {
  const { name, rules } = world
  const { plan } = world.quota.copy(accountId)
  const { received, unattributed, facts } = selectFacts(world.journal.facts, accountId)
  const nowMs = world.clock.now()
  const assessment = new Assessment(findSpan(facts), rules.messageStatus)
  assessment.add(facts, {
    nowMs,
    limits: { plans: world.seed.plans, ban: rules.ban },
    messageStatus: rules.messageStatus,
    environment: name.environment,
    isUsedElsewhere,
  })
  const results = assessment.toResults(received, unattributed)
  return { world: name, apiKey, plan, createdAt: toTimestamp(nowMs), ...results }
}

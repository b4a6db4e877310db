import { maskApiKey } from '../service/api-key.js'
import { plans } from '../service/plans.js'
import { formatSecond } from '../service/timestamp.js'
import { describeReceived, receivedHeading } from '../world/journal/entry.js'
import type { Account } from '../world/quota/account.js'
import { describeRejections } from '../world/quota/ban-risk.js'
import type { WorldState } from '../world/world.js'
import type { ReservedSandbox } from './reserved-sandbox.js'
import type { StrayRequests } from './stray-requests.js'
import { unusedFaultsHeading } from './unused-faults.js'

/**
 * Describes the accounts of worlds that are banned, or will be banned by the next rejection. Returns an
 * empty string if there are none.
 */
export function describeBans(worlds: readonly WorldState[]): string {
  const lines = worlds.flatMap(({ quota, clock }) =>
    Object.keys(quota.save()).flatMap((id) => {
      const risk = describeRisk(quota.copy(id), clock.now())
      const name = Object.hasOwn(plans, id) ? id : maskApiKey(id)
      return risk === undefined ? [] : [`  the account "${name}" ${risk}`]
    }),
  )
  if (lines.length === 0) return ''
  const advice =
    'A client must wait for Retry-After before it retries. To lift a ban: world.quota.account(plan).set({ ban: null })'
  return ['Bans:', ...lines, advice].join('\n')
}

function describeRisk(account: Account, nowMs: number): string | undefined {
  const untilMs = account.bannedUntilMs(nowMs)
  if (untilMs !== undefined) return `is banned until ${formatSecond(untilMs)}`
  const { banRule } = account
  const rejected = Math.max(account.minute.peek(nowMs).rejected, account.day.peek(nowMs).rejected)
  const isNext = rejected > 0 && rejected === banRule.rejections - 1
  return isNext ? `has ${describeRejections(rejected, banRule)}` : undefined
}

/**
 * Appends to the error message of a failed test: the requests to its worlds with their explanations,
 * the requests without the key of a test, the bans of the worlds, the requests to no address of the
 * sandbox, and the unused faults. Omits parts that the message already has.
 */
export function addReport(
  error: { message: string } | undefined,
  sandbox: ReservedSandbox,
  strays: StrayRequests,
  unhandled: { describe(): string } | undefined,
): void {
  if (!error) return
  const { message } = error
  const staging = sandbox.findStagingWorld()
  const parts = [
    message,
    message.includes(receivedHeading) ? '' : describeReceived(sandbox.world.requests.read()),
    staging && staging.journal.size > 0
      ? `Staging: ${describeReceived(staging.requests.read())}`
      : '',
    strays.describe(),
    describeBans(sandbox.worlds()),
    unhandled?.describe() ?? '',
    message.includes(unusedFaultsHeading) ? '' : sandbox.describeUnusedFaults(),
  ]
  error.message = parts.filter((part) => part !== '').join('\n\n')
}

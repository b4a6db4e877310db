import { describeReceived, receivedHeading } from '../world/journal/describe.js'
import { findAccountsAtRisk } from '../world/quota/ban-risk.js'
import type { WorldState } from '../world/world.js'
import type { ReservedSandbox } from './reserved-sandbox.js'
import type { StrayRequests } from './stray-requests.js'
import { unusedFaultsHeading } from './unused-faults.js'

/**
 * Describes the accounts of worlds that are banned, or that the next rejection bans. Returns an
 * empty string if there are none.
 */
export function describeBans(worlds: readonly WorldState[]): string {
  const lines = worlds.flatMap((world) =>
    findAccountsAtRisk(world).map(({ name, description }) => `  ${name} ${description}`),
  )
  if (lines.length === 0) return ''
  const advice =
    'A client must wait for Retry-After before it retries. To lift a ban: world.quota.account(plan).set({ ban: null })'
  return ['Bans:', ...lines, advice].join('\n')
}

/**
 * Appends to the error message of a failed test: the requests that its worlds received, with their
 * explanations, and those without the key of a test; the bans of the worlds; the requests to no address
 * of the sandbox; and the unused faults. Omits what the message already lists.
 */
export function addReport(
  error: { message: string } | undefined,
  sandbox: ReservedSandbox,
  strays: StrayRequests,
  unhandled: { describe(): string } | undefined,
): void {
  if (!error) return
  const { message } = error
  const staging = sandbox.findStagingWorld()?.journal
  const parts = [
    message,
    message.includes(receivedHeading) ? '' : describeReceived(sandbox.world.journal.read()),
    staging && staging.size > 0 ? `Staging: ${describeReceived(staging.read())}` : '',
    strays.describe(),
    describeBans(sandbox.worlds()),
    unhandled?.describe() ?? '',
    message.includes(unusedFaultsHeading) ? '' : sandbox.describeUnusedFaults(),
  ]
  error.message = parts.filter((part) => part !== '').join('\n\n')
}

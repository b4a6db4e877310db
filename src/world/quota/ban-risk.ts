import { maskApiKey } from '../../service/api-key.js'
import { plans } from '../../service/plans.js'
import { formatSecond } from '../../service/timestamp.js'
import type { WorldState } from '../world.js'
import type { Account } from './account.js'
import type { BanRule } from './settings.js'

/** The part of a quota that decides about a ban. The quota of the control API has it. */
export interface BanRisk {
  readonly minute: { readonly rejected: number }
  readonly day: { readonly rejected: number }
  /** Null if the key is not banned. */
  readonly ban: object | null
  readonly banRule: BanRule
}

/**
 * Describes how many rejected requests of a window lead to a ban: `9 of 10 rejections; the next one
 * bans the key for 300 s`.
 *
 * @param rejected Number of requests that the window has rejected.
 */
export function describeRejections(rejected: number, { rejections, seconds }: BanRule): string {
  const left = rejections - rejected
  const next = left === 1 ? 'the next one bans' : `${left} more ban`
  return `${rejected} of ${rejections} rejections; ${next} the key for ${seconds} s`
}

/** Whether a line, which may be the result of `describeRejections`, says that a ban is next. */
export function isLastRejection(line: string): boolean {
  return line.includes(' rejections; the next one bans the key for ')
}

/**
 * Describes the risk of a ban: `9 of 10 rejections; the next one bans the key for 300 s`. Returns
 * undefined if no request was rejected in a current window, or the key is banned.
 */
export function describeBanRisk({ minute, day, ban, banRule }: BanRisk): string | undefined {
  const rejected = Math.max(minute.rejected, day.rejected)
  return rejected === 0 || ban ? undefined : describeRejections(rejected, banRule)
}

/** A banned account, or one whose next rejection bans it. */
export interface AccountAtRisk {
  /** The plan, or the key that the scenario lists. */
  readonly id: string
  /** The account without secrets: `the account "free"`. */
  readonly name: string
  readonly isBanned: boolean
  /** `is banned until 2026-01-15T09:05:00Z`, or `has 9 of 10 rejections; …`. */
  readonly description: string
}

/** Returns the accounts of a world that are banned, or that the next rejection bans. */
export function findAccountsAtRisk(world: WorldState): AccountAtRisk[] {
  return Object.keys(world.quota.save()).flatMap((id) => {
    const account = world.quota.copy(id)
    const description = describeAccount(account, world.clock.now())
    if (description === undefined) return []
    const name = `the account "${Object.hasOwn(plans, id) ? id : maskApiKey(id)}"`
    return [{ id, name, isBanned: account.isBanned(), description }]
  })
}

function describeAccount(account: Account, nowMs: number): string | undefined {
  const untilMs = account.bannedUntilMs(nowMs)
  if (untilMs !== undefined) return `is banned until ${formatSecond(untilMs)}`
  const { banRule } = account
  const rejected = Math.max(account.minute.peek(nowMs).rejected, account.day.peek(nowMs).rejected)
  const isNext = rejected > 0 && rejected === banRule.rejections - 1
  return isNext ? `has ${describeRejections(rejected, banRule)}` : undefined
}

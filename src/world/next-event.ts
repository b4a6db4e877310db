import type { Account } from './quota/account.js'
import type { RateLimitStatus, WindowName } from './quota/settings.js'
import type { WorldState } from './world.js'

/** A time-based event that changes the responses to a key. */
export interface WorldEvent {
  readonly event: 'minute window resets' | 'day window resets' | 'ban ends' | 'sunset'
  /** Milliseconds since the epoch. */
  readonly atMs: number
}

/**
 * Returns the next time-based event that changes the responses to a key; undefined if there is
 * none. If requests of the key are rejected now, it is the event that ends the rejection.
 *
 * @param id The account: a plan, or a key that the scenario lists.
 * @throws {RangeError} If there is no such account.
 */
export function findNextEvent(world: WorldState, id: string): WorldEvent | undefined {
  const nowMs = world.clock.now()
  const account = world.quota.copy(id)
  account.minute.close(nowMs)
  account.day.close(nowMs)
  const status = account.copy().charge(nowMs)
  if (status.rejection !== undefined) return findRelease(account, status, nowMs)
  const events = [findReset(account, 'minute'), findReset(account, 'day'), findSunset(world)]
  const next = events.flatMap((event) => (event && event.atMs > nowMs ? [event] : []))
  return next.sort((one, other) => one.atMs - other.atMs)[0]
}

/** Returns the event after which the requests of a rejected key are admitted again. */
function findRelease(
  account: Account,
  { window, retryAtMs }: RateLimitStatus,
  nowMs: number,
): WorldEvent | undefined {
  const reset = findReset(account, window)
  const isExhausted = account[window].remaining === 0
  // A pending ban or an unopened window starts with the next request, so waiting has no effect.
  if (account.hasPendingBan || (isExhausted && reset === undefined)) return undefined
  const isBanEnd = retryAtMs === account.bannedUntilMs(nowMs)
  return isBanEnd ? { event: 'ban ends', atMs: retryAtMs } : reset
}

function findReset(account: Account, window: WindowName): WorldEvent | undefined {
  const { resetsAtMs } = account[window]
  return resetsAtMs === undefined
    ? undefined
    : { event: `${window} window resets`, atMs: resetsAtMs }
}

/** Returns the sunset, unless the scenario serves the deprecated operation after it. */
function findSunset({ deprecation }: WorldState): WorldEvent | undefined {
  if (deprecation.afterSunset === 'serve') return undefined
  return { event: 'sunset', atMs: deprecation.sunsetAtMs }
}

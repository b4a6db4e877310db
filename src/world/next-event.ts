import type { Account } from './quota/account.js'
import type { WindowName } from './quota/settings.js'
import type { WorldState } from './world.js'

/** A time-based event that changes the responses to a key. */
export interface WorldEvent {
  readonly event: 'minute window resets' | 'day window resets' | 'ban ends' | 'sunset'
  /** Milliseconds since the epoch. */
  readonly atMs: number
}

/**
 * Returns the next time-based event that changes the responses to a key; undefined if there is none. If
 * requests of the key are rejected now, the event ends the rejection.
 *
 * @param id The account: a plan, or a key that the scenario lists.
 * @throws {RangeError} If there is no such account.
 */
export function findNextEvent(world: WorldState, id: string): WorldEvent | undefined {
  const nowMs = world.clock.now()
  const account = world.quota.copy(id)
  account.minute.close(nowMs)
  account.day.close(nowMs)
  const { rejection, window, retryAtMs } = account.copy().charge(nowMs)
  const resets = { minute: findReset(account, 'minute'), day: findReset(account, 'day') }
  if (rejection !== undefined) {
    const reset = resets[window]
    const isExhausted = account[window].remaining === 0
    // A pending ban or an unopened window starts with the next request, so waiting has no effect.
    if (account.hasPendingBan || (isExhausted && reset === undefined)) return undefined
    const isBanEnd = retryAtMs === account.bannedUntilMs(nowMs)
    return isBanEnd ? { event: 'ban ends', atMs: retryAtMs } : reset
  }
  const { afterSunset, sunsetAtMs } = world.deprecation
  // Otherwise, the deprecated operation continues to respond.
  const sunset = afterSunset === 'gone' && ({ event: 'sunset', atMs: sunsetAtMs } as const)
  const events = [resets.minute, resets.day, sunset]
  const next = events.flatMap((event) => (event && event.atMs > nowMs ? [event] : []))
  return next.sort((one, other) => one.atMs - other.atMs)[0]
}

function findReset(account: Account, window: WindowName): WorldEvent | undefined {
  const { resetsAtMs } = account[window]
  return resetsAtMs === undefined
    ? undefined
    : { event: `${window} window resets`, atMs: resetsAtMs }
}

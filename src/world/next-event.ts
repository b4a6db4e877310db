import type { Account, RateLimitWindow } from './quota/account.js'
import type { WorldState } from './world.js'

/** A moment at which time alone changes what a world answers. */
export interface WorldEvent {
  readonly event: 'minute window resets' | 'day window resets' | 'ban ends' | 'sunset'
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** The next event of a world for one account; undefined when none is ahead. */
export function findNextEvent(world: WorldState, account: Account): WorldEvent | undefined {
  const now = world.clock.now()
  const events: { event: WorldEvent['event']; atMs: number | undefined }[] = [
    { event: 'minute window resets', atMs: toReset(account.minute, now) },
    { event: 'day window resets', atMs: toReset(account.day, now) },
    { event: 'ban ends', atMs: account.bannedUntilMs(now) },
    { event: 'sunset', atMs: world.deprecation.sunsetAtMs },
  ]
  let next: WorldEvent | undefined
  for (const { event, atMs } of events) {
    if (atMs === undefined || atMs <= now) continue
    if (!next || atMs < next.atMs) next = { event, atMs }
  }
  return next
}

/** When an open window ends; one that the clock has left, forwards or back, is open no more. */
function toReset(window: RateLimitWindow, nowMs: number): number | undefined {
  const isOpen = window.peek(nowMs).resetsAtMs === window.resetsAtMs
  return isOpen ? window.resetsAtMs : undefined
}

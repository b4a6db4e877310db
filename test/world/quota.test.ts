import { describe, expect, test } from 'vitest'
import { Account, type AccountSettings, RateLimitWindow } from '../../src/world/quota/account.js'

const start = Date.UTC(2026, 0, 15, 9)
const minute = 60_000
const day = 86_400_000

/** An account of three requests a minute and five a day, banned for 100 s at the 4th rejection. */
function createAccount(settings: AccountSettings = {}): Account {
  const limits = { requestsPerMinute: 3, requestsPerDay: 5 }
  const account = new Account('free', limits, { rejections: 4, seconds: 100 })
  account.set(settings)
  return account
}

/** What came of each charge: the rejection, or the window and what is left in it. */
function charge(account: Account, times: number, nowMs = start): string[] {
  return Array.from({ length: times }, () => {
    const { rejection, window } = account.charge(nowMs)
    return `${rejection ?? 'passed'} ${window.name} ${window.remaining}`
  })
}

describe('rate-limit window', () => {
  test('runs from its first request for its length, not a moment longer', () => {
    const window = new RateLimitWindow('minute', 3)
    window.open(start)
    window.used = 2
    window.open(start + minute - 1)
    expect([window.used, window.resetsAtMs]).toEqual([2, start + minute])
    window.open(start + minute)
    expect([window.used, window.resetsAtMs]).toEqual([0, start + 2 * minute])
  })

  test('is left when the clock goes back to before it, and kept when it goes back within it', () => {
    const window = new RateLimitWindow('day', 3)
    window.open(start)
    window.used = 2
    window.open(start)
    expect(window.used).toBe(2)
    window.open(start - 1)
    expect([window.used, window.resetsAtMs]).toEqual([0, start - 1 + day])
  })

  test('peek says where it stands and changes nothing', () => {
    const window = new RateLimitWindow('minute', 3)
    expect(window.peek(start)).toEqual({
      used: 0,
      remaining: 3,
      rejected: 0,
      resetsAtMs: start + minute,
    })
    expect(window.resetsAtMs).toBeUndefined()
    window.open(start)
    window.used = 2
    expect(window.peek(start + 2 * minute)).toMatchObject({ used: 0, remaining: 3 })
    expect([window.used, window.resetsAtMs]).toEqual([2, start + minute])
  })

  test('has nothing left when more was used than the limit', () => {
    const window = new RateLimitWindow('minute', 3)
    window.used = 9
    expect(window.remaining).toBe(0)
  })
})

describe('account', () => {
  test('charges both windows, and describes the one with the fewest left', () => {
    const account = createAccount()
    expect(charge(account, 4)).toEqual([
      'passed minute 2',
      'passed minute 1',
      'passed minute 0',
      'rate_limit_exceeded minute 0',
    ])
    expect(charge(account, 3, start + minute)).toEqual([
      'passed day 1',
      'passed day 0',
      'rate_limit_exceeded day 0',
    ])
    expect([account.minute.used, account.day.used]).toEqual([2, 5])
  })

  test('of two windows with as many left, it describes the minute', () => {
    const account = createAccount({ minute: { remaining: 2 }, day: { remaining: 2 } })
    expect(account.peek(start).window).toBe('minute')
    expect(charge(account, 1)).toEqual(['passed minute 1'])
  })

  test('a rejected request may pass when the window that rejected it resets', () => {
    const account = createAccount()
    charge(account, 3)
    expect(account.charge(start + 20_000).retryAtMs).toBe(start + minute)
    charge(account, 2, start + minute)
    expect(account.charge(start + minute).retryAtMs).toBe(start + day)
    expect(charge(account, 1, start + day)).toEqual(['passed minute 2'])
  })

  test('of two windows that are used up, the one that resets later says when', () => {
    const account = createAccount({ minute: { remaining: 0 }, day: { remaining: 0 } })
    const { window, retryAtMs } = account.charge(start)
    expect([window.name, retryAtMs]).toEqual(['day', start + day])
    const late = createAccount({
      minute: { remaining: 0 },
      day: { remaining: 0, resetsAt: new Date(start + 5_000).toISOString() },
    })
    const charged = late.charge(start)
    expect([charged.window.name, charged.retryAtMs]).toEqual(['minute', start + minute])
  })

  test('a clock that goes back opens new windows; one that stands still goes on', () => {
    const account = createAccount()
    expect(charge(account, 3, start).at(-1)).toBe('passed minute 0')
    expect(charge(account, 1, start - 2 * day)).toEqual(['passed minute 2'])
    expect(account.day.used).toBe(1)
  })

  test('peek changes nothing, not even the windows of a key that was never used', () => {
    const account = createAccount()
    expect(account.peek(start)).toMatchObject({ window: 'minute', limit: 3, remaining: 3 })
    expect(account.toSettings()).toEqual(createAccount().toSettings())
    charge(account, 3)
    const before = account.toSettings()
    account.peek(start)
    account.peek(start + 2 * day)
    account.peek(start - day)
    expect(account.toSettings()).toEqual(before)
  })

  test('is banned at the last of so many rejections in one window, and only so long', () => {
    const account = createAccount({ minute: { remaining: 0 } })
    expect(charge(account, 4)).toEqual([
      ...Array(3).fill('rate_limit_exceeded minute 0'),
      'api_key_banned minute 0',
    ])
    expect(account.bannedUntilMs(start)).toBe(start + 100_000)
    expect(account.charge(start + 99_999).rejection).toBe('api_key_banned')
    expect(account.bannedUntilMs(start + 100_000)).toBeUndefined()
    expect(account.charge(start + 100_000).rejection).toBeUndefined()
  })

  test('a ban charges nothing and counts no rejections', () => {
    const account = createAccount({ ban: { seconds: 10 } })
    charge(account, 20)
    expect([account.minute.used, account.minute.rejected]).toEqual([0, 0])
    expect(charge(account, 1, start + 10_000)).toEqual(['passed minute 2'])
  })

  test('the rejections of a window are forgotten with it', () => {
    const account = createAccount({ minute: { remaining: 0, rejected: 3 } })
    account.charge(start)
    expect(account.bannedUntilMs(start)).toBe(start + 100_000)
    const patient = createAccount({ minute: { remaining: 0 } })
    charge(patient, 3)
    expect(charge(patient, 1, start + minute)).toEqual(['passed minute 2'])
    expect(patient.minute.rejected).toBe(0)
  })

  test('a ban of so many seconds begins with the next request, or at a moment that is given', () => {
    const waiting = createAccount({ ban: { seconds: 30 } })
    expect(waiting.bannedUntilMs(start)).toBeUndefined()
    expect(waiting.charge(start + 500)).toMatchObject({ retryAtMs: start + 30_500 })
    const at = createAccount()
    at.set({ ban: { seconds: 30 } }, start)
    expect(at.bannedUntilMs(start)).toBe(start + 30_000)
  })

  test('null lifts a ban, whether it has begun or not', () => {
    for (const ban of [{ seconds: 30 }, { until: new Date(start + 30_000).toISOString() }]) {
      const account = createAccount({ ban })
      account.set({ ban: null })
      expect(charge(account, 1)).toEqual(['passed minute 2'])
    }
  })

  test('its state as settings makes the same account', () => {
    const account = createAccount({ minute: { used: 1 }, day: { remaining: 2 } })
    charge(account, 3)
    const settings = account.toSettings()
    const copy = createAccount(settings)
    expect(copy.toSettings()).toEqual(settings)
    expect(charge(copy, 9, start + 1)).toEqual(charge(account, 9, start + 1))
    const pending = createAccount({ ban: { seconds: 9 } })
    expect(createAccount(pending.toSettings()).toSettings()).toEqual(pending.toSettings())
  })
})

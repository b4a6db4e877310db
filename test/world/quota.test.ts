import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { Account, RateLimitWindow } from '../../src/world/quota/account.js'
import type { AccountSettings } from '../../src/world/quota/settings.js'

const start = Date.UTC(2026, 0, 15, 9)
const minute = 60_000
const day = 86_400_000

/**
 * Creates an account with 3 requests a minute and 5 a day, banned for 100 s at the 4th rejection.
 */
function createAccount(settings: AccountSettings = {}, now = () => start): Account {
  const limits = { requestsPerMinute: 3, requestsPerDay: 5 }
  const banRule = { rejections: 4, seconds: 100 }
  return new Account({ plan: 'free', limits, banRule, now }, settings)
}

/** Creates an account whose clock the test controls. */
function createTimedAccount(settings: AccountSettings = {}) {
  const time = { now: start }
  return { time, account: createAccount(settings, () => time.now) }
}

/**
 * Charges the account several times. Returns the rejection or `passed`, the window and its
 * remaining requests.
 */
function charge(account: Account, times: number, nowMs = start): string[] {
  return Array.from({ length: times }, () => {
    const { rejection, window, remaining } = account.charge(nowMs)
    return `${rejection ?? 'passed'} ${window} ${remaining}`
  })
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

describe('rate-limit window', () => {
  test('lasts exactly its length from its first request', () => {
    const window = new RateLimitWindow('minute', 3)
    window.open(start)
    window.used = 2
    window.open(start + minute - 1)
    expect([window.used, window.resetsAtMs]).toEqual([2, start + minute])
    window.open(start + minute)
    expect([window.used, window.resetsAtMs]).toEqual([0, start + 2 * minute])
  })

  test('ends when the clock moves back before its start, and stays open within it', () => {
    const window = new RateLimitWindow('day', 3)
    window.open(start)
    window.used = 2
    window.open(start)
    expect(window.used).toBe(2)
    window.open(start - 1)
    expect([window.used, window.resetsAtMs]).toEqual([0, start - 1 + day])
  })
})

describe('account', () => {
  test('charge counts in both windows and describes the one with fewer requests left', () => {
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

  test('describes the minute window when both have the same number of requests left', () => {
    const account = createAccount({ minute: { remaining: 2 }, day: { remaining: 2 } })
    expect(account.peek(start).window).toBe('minute')
    expect(charge(account, 1)).toEqual(['passed minute 1'])
  })

  test('a rejected request can be retried when the window that rejected it resets', () => {
    const account = createAccount()
    charge(account, 3)
    expect(account.charge(start + 20_000).retryAtMs).toBe(start + minute)
    charge(account, 2, start + minute)
    expect(account.charge(start + minute).retryAtMs).toBe(start + day)
    expect(charge(account, 1, start + day)).toEqual(['passed minute 2'])
  })

  test('describes the window that resets later when both are exhausted', () => {
    const account = createAccount({ minute: { remaining: 0 }, day: { remaining: 0 } })
    const { window, retryAtMs } = account.charge(start)
    expect([window, retryAtMs]).toEqual(['day', start + day])
    const late = createAccount({
      minute: { remaining: 0 },
      day: { remaining: 0, resetsAt: new Date(start + 5_000).toISOString() },
    })
    const charged = late.charge(start)
    expect([charged.window, charged.retryAtMs]).toEqual(['minute', start + minute])
    const resetsAt = toIso(start + 5_000)
    const both = { remaining: 0, resetsAt }
    expect(createAccount({ minute: both, day: both }).charge(start).window).toBe('minute')
    expect(charge(createAccount({ day: both }), 1)).toEqual(['rate_limit_exceeded day 0'])
  })

  test('peek changes nothing, not even the windows of an unused key', () => {
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

  test('rejections count anew after a ban', () => {
    const account = createAccount({ day: { remaining: 0 } })
    expect(charge(account, 4).at(-1)).toBe('api_key_banned day 0')
    expect(charge(account, 1, start + 100_000)).toEqual(['rate_limit_exceeded day 0'])
  })

  test('a request during a ban is neither charged nor counted as a rejection', () => {
    const account = createAccount({ ban: { seconds: 10 } })
    charge(account, 20)
    expect([account.minute.used, account.minute.rejected]).toEqual([0, 0])
    expect(charge(account, 1, start + 10_000)).toEqual(['passed minute 2'])
  })

  test('a ban of seconds in a scenario starts with the next request, and in set() at once', () => {
    const pending = createAccount({ ban: { seconds: 30 } })
    expect(pending.bannedUntilMs()).toBeUndefined()
    expect(pending.charge(start + 500)).toMatchObject({ retryAtMs: start + 30_500 })
    const account = createAccount()
    account.set({ ban: { seconds: 30 } })
    expect(account.bannedUntilMs()).toBe(start + 30_000)
  })

  test('null lifts a ban, whether it has started or not', () => {
    for (const ban of [{ seconds: 30 }, { until: toIso(start + 30_000) }]) {
      const account = createAccount({ ban })
      account.set({ ban: null })
      expect(charge(account, 1)).toEqual(['passed minute 2'])
    }
  })

  test('the times of a ban are stated in UTC, however they were given', () => {
    const account = createAccount()
    account.set({ ban: { until: '2026-01-15T10:02:00+01:00' } })
    expect(account.toSettings().ban).toEqual({ until: toIso(start + 120_000), since: toIso(start) })
  })

  test('set() applies after a window has ended', () => {
    const { time, account } = createTimedAccount()
    account.charge()
    time.now += minute
    account.set({ minute: { remaining: 1 } })
    expect(account.charge()).toMatchObject({ remaining: 0, resetsAtMs: start + 2 * minute })
    expect(account.charge()).toMatchObject({ rejection: 'rate_limit_exceeded' })
  })

  test.each([
    [{ minute: { resetsAt: toIso(start + minute + 1) } }, 'minute.resetsAt must be at most'],
    [{ day: { resetsAt: toIso(start + day + 1) } }, 'day.resetsAt must be at most'],
    [{ ban: { until: toIso(start + 9), since: toIso(start + 1) } }, 'ban.since must be at most'],
    [
      { ban: { seconds: 9, since: toIso(start) } },
      'ban must be an object with until if it has since',
    ],
    [{ ban: {} }, 'ban must be an object with either until or seconds'],
    [{ minute: { used: 1, remaining: 1 } }, 'minute must be an object with used or remaining'],
  ])('set() rejects %j and keeps the state', (settings, message) => {
    const account = createAccount({ minute: { used: 1 } })
    const before = account.toSettings()
    expect(() => account.set({ day: { used: 2 }, ...settings })).toThrow(message)
    expect(account.toSettings()).toEqual(before)
  })

  test('set() names every wrong time, and what is no quota', () => {
    const reason = 'the quota must be an object, found 5 (number)'
    expect(() => createAccount().set(5 as never)).toThrow(reason)
    const late = { resetsAt: toIso(start + 2 * day) }
    const message = /^minute\.resetsAt must be .*; day\.resetsAt must be /
    expect(() => createAccount().set({ minute: late, day: late })).toThrow(message)
  })

  test('set() keeps the fields that are not given', () => {
    const ban = { seconds: 9 }
    const account = createAccount({ minute: { used: 1 }, ban })
    account.set({ minute: { rejected: 2 } })
    expect(account.toSettings()).toEqual({ minute: { used: 1, rejected: 2 }, ban })
  })

  test('its settings contain a window that is not open only if it has requests', () => {
    expect(createAccount({ minute: { used: 0 } }).toSettings()).toEqual({})
    for (const day of [
      { used: 2, rejected: 0 },
      { used: 0, rejected: 2 },
    ]) {
      expect(createAccount({ day }).toSettings()).toEqual({ day })
    }
  })

  test('a new account with the settings of another has the same state', () => {
    const account = createAccount({ minute: { used: 1 }, day: { remaining: 2 } })
    charge(account, 3)
    const settings = account.toSettings()
    const copy = createAccount(settings)
    expect(copy.toSettings()).toEqual(settings)
    expect(charge(copy, 9, start + 1)).toEqual(charge(account, 9, start + 1))
    const pending = createAccount({ ban: { seconds: 9 } })
    expect(createAccount(pending.toSettings()).toSettings()).toEqual(pending.toSettings())
  })

  test('a copy is independent', () => {
    const account = createAccount({ minute: { used: 1 }, ban: { seconds: 9 } })
    const before = account.toSettings()
    const copy = account.copy()
    expect(copy.toSettings()).toEqual(before)
    copy.charge()
    copy.set({ ban: null, day: { used: 3 } })
    expect(account.toSettings()).toEqual(before)
  })
})

describe('rate-limit status of a rejected request', () => {
  test('of a key that the next request bans describes that ban', () => {
    const account = createAccount({ ban: { seconds: 30 } })
    expect(account.peek()).toMatchObject({ remaining: 0, resetsAtMs: start + 30_000 })
    expect(account.bannedUntilMs()).toBeUndefined()
  })

  test('never resets earlier than it can be retried', () => {
    const settings: AccountSettings[] = [
      {},
      { minute: { remaining: 0 } },
      { day: { remaining: 0 } },
      { minute: { remaining: 0 }, day: { remaining: 0 } },
      { minute: { remaining: 0, rejected: 3 } },
      { minute: { remaining: 1 }, day: { remaining: 1 } },
      { ban: { until: toIso(start + 7) } },
      { minute: { remaining: 0 }, ban: { until: toIso(start + 2 * day) } },
    ]
    for (const initial of settings) {
      const account = createAccount(initial)
      for (let nowMs = start; nowMs < start + 3 * day; nowMs += 7_777_777) {
        const peeked = account.peek(nowMs)
        expect(peeked.resetsAtMs).toBeGreaterThanOrEqual(peeked.retryAtMs)
        const charged = account.charge(nowMs)
        expect(charged.resetsAtMs).toBeGreaterThanOrEqual(charged.retryAtMs)
        if (charged.rejection) expect(charged.remaining).toBe(0)
        if (charged.rejection) expect(peeked.remaining).toBe(0)
      }
    }
  })
})

describe('when the clock moves back', () => {
  test('a ban does not apply before its start', () => {
    const { time, account } = createTimedAccount()
    account.set({ ban: { until: toIso(start + 10_000) } })
    expect(account.isBanned()).toBe(true)
    time.now = start - 1
    expect(account.isBanned()).toBe(false)
    expect(account.charge().rejection).toBeUndefined()
  })

  test('its settings contain no window and no ban that starts later', () => {
    const { time, account } = createTimedAccount()
    account.charge()
    account.set({ ban: { seconds: 9 } })
    time.now = start - 1
    expect(account.toSettings()).toEqual({})
  })
})

test('a world has accounts of plans and of listed keys only', async () => {
  const apiKeys = [{ key: 'shop-key-1', plan: 'pro' } as const]
  const { world } = await createSandbox({ scenario: { name: 'mine', apiKeys } })
  expect(world.quota.account('free')).toBe(world.quota.account('free'))
  expect(world.quota.account('shop-key-1').plan).toBe('pro')
  expect(world.quota.account('shop-key-1')).not.toBe(world.quota.account('pro'))
  for (const id of ['gold', '', 'constructor', '__proto__', 'toString']) {
    const wanted = 'the id of an account must be a plan or a key that the scenario lists'
    const error = new RangeError(`${wanted}, found ${JSON.stringify(id)}`)
    expect(() => world.quota.account(id)).toThrow(error)
    expect(world.planOf(id)).toBeUndefined()
  }
})

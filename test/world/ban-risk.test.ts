import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { describeBans } from '../../src/testing/failure-report.js'
import { describeBanRisk, isLastRejection } from '../../src/world/quota/ban-risk.js'

const startMs = Date.UTC(2026, 0, 15, 9)
const banRule = { rejections: 10, seconds: 300 }
const toRisk = (minute: number, day: number, ban: object | null = null) =>
  describeBanRisk({ minute: { rejected: minute }, day: { rejected: day }, ban, banRule })

test('describeBanRisk counts the rejections of the window that has more', () => {
  const last = '9 of 10 rejections; the next one bans the key for 300 s'
  expect([toRisk(9, 0), toRisk(0, 9)]).toEqual([last, last])
  expect(isLastRejection(last)).toBe(true)
  expect(toRisk(3, 1)).toBe('3 of 10 rejections; 7 more ban the key for 300 s')
  expect(isLastRejection(toRisk(3, 1) ?? '')).toBe(false)
})

test('describeBanRisk returns undefined without rejections, and during a ban', () => {
  expect(toRisk(0, 0)).toBeUndefined()
  expect(toRisk(9, 0, { until: '2026-01-15T09:05:00.000Z' })).toBeUndefined()
})

test('describeBans lists the banned accounts and those before a ban, until their window ends', async () => {
  const secret = 'customer-key-0001'
  const sandbox = await createSandbox({
    now: () => startMs,
    scenario: {
      name: 'mine',
      rules: { ban: { rejections: 3, seconds: 60 } },
      apiKeys: [{ key: secret, plan: 'pro' }],
    },
  })
  const { world } = sandbox
  const listBans = () => describeBans([world]).split('\n').slice(1, -1)
  expect(listBans()).toEqual([])
  const minute = { remaining: 0, resetsAt: '2026-01-15T09:01:00Z' }
  world.quota.account('free').set({ minute: { ...minute, rejected: 2 } })
  world.quota.account('pro').set({ minute: { ...minute, rejected: 1 } })
  world.quota.account(secret).set({ ban: { seconds: 90 } })
  const banned = '  the account "customer…" is banned until 2026-01-15T09:01:30Z'
  expect(listBans()).toEqual([
    '  the account "free" has 2 of 3 rejections; the next one bans the key for 60 s',
    banned,
  ])
  world.clock.advance('PT61S')
  expect(listBans()).toEqual([banned])
})

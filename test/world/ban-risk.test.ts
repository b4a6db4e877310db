import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { describeBans } from '../../src/testing/failure-report.js'

const startMs = Date.UTC(2026, 0, 15, 9)

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

import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

test('rejects more than 100 faults and keeps the existing ones', async () => {
  const { world } = await createSandbox()
  world.faults.set(Array.from({ length: 100 }, () => ({ type: 'reset' as const })))
  expect(() => world.faults.add({ type: 'reset' })).toThrow(/at most 100/)
  expect(world.faults.list()).toHaveLength(100)
})

test('account.set rejects a reset later than one window length from now', async () => {
  const { world } = await createSandbox({ now: () => 0 })
  const account = world.quota.account('free')
  const before = account.toSettings()
  const late = { minute: { used: 1, resetsAt: '1970-01-01T00:01:00.001Z' } }
  expect(() => account.set(late)).toThrow(
    'minute.resetsAt must be at most 1970-01-01T00:01:00.000Z, found "1970-01-01T00:01:00.001Z"',
  )
  expect(account.toSettings()).toEqual(before)
})

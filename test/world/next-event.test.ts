import { describe, expect, test } from 'vitest'
import { createSandbox, type Scenario } from '../../src/index.js'

const startMs = Date.UTC(2026, 0, 15, 9)
const day = 86_400_000

async function createWorld(scenario: Partial<Scenario> = {}) {
  const { world } = await createSandbox({
    scenario: { name: 'world', extends: ['default'], ...scenario },
    now: () => startMs,
  })
  return { world, account: world.quota.account('free') }
}

describe('nextEvent', () => {
  test('is undefined when the operation is served after its sunset', async () => {
    const { world } = await createWorld({ deprecation: { afterSunset: 'serve' } })
    expect(world.nextEvent()).toBeUndefined()
  })

  test('is the reset of an exhausted window that outlasts a ban', async () => {
    const { world, account } = await createWorld({ quota: { free: { day: { remaining: 0 } } } })
    for (let count = 0; count < 10; count++) account.charge()
    expect(account.isBanned()).toBe(true)
    expect(world.nextEvent()).toEqual({ event: 'day window resets', atMs: startMs + day })
  })

  test('is undefined while only a request starts the ban or the exhausted window', async () => {
    const open = { used: 1, resetsAt: '2026-01-15T09:00:30Z' }
    for (const settings of [
      { ban: { seconds: 9 } },
      { ban: { seconds: 9 }, minute: open },
      { minute: { remaining: 0 } },
    ]) {
      const { world } = await createWorld({ quota: { '*': settings } })
      expect(world.nextEvent(), JSON.stringify(settings)).toBeUndefined()
    }
  })

  test.each<Partial<Scenario>>([
    { quota: { free: { minute: { remaining: 0 } } } },
    { quota: { free: { day: { remaining: 0 } } } },
    { quota: { free: { minute: { remaining: 0 }, day: { remaining: 0 } } } },
    { quota: { free: { ban: { seconds: 30 }, minute: { remaining: 0 } } } },
    { quota: { free: { minute: { remaining: 0, rejected: 9 } } } },
  ])('is the time at which a rejected key is admitted again: %j', async (scenario) => {
    const { world, account } = await createWorld(scenario)
    const { rejection, retryAtMs } = account.charge()
    expect(rejection).toBeDefined()
    expect(world.advanceToNextEvent()).toMatchObject({ atMs: retryAtMs })
    expect(account.charge().rejection).toBeUndefined()
  })
})

describe('a world whose clock moves back', () => {
  test('ends windows and bans that start later, also when the clock moves on again', async () => {
    const { world, account } = await createWorld()
    account.charge()
    account.set({ ban: { seconds: 300 } })
    world.clock.advance(-1)
    world.clock.advance(1)
    expect(account.isBanned()).toBe(false)
    expect(account.minute.used).toBe(0)
  })

  test('writes a snapshot that can be loaded and behaves in the same way', async () => {
    const at = '2026-01-15T09:00:00.000Z'
    const { world } = await createWorld({
      clock: { now: at },
      quota: {
        '*': { minute: { used: 5, resetsAt: '2026-01-15T09:00:30Z' } },
        pro: { ban: { until: '2026-01-15T10:00:00Z' } },
      },
    })
    world.clock.set('2026-01-15T08:00:00Z')
    const { world: copy } = await createSandbox({ now: () => startMs })
    await copy.use(JSON.parse(JSON.stringify(world.snapshot())))
    for (const candidate of [world, copy]) {
      candidate.clock.set(at)
      expect(candidate.quota.account('free').charge().remaining).toBe(59)
      expect(candidate.quota.account('pro').charge().rejection).toBeUndefined()
    }
  })

  test('keeps the start of a ban in a snapshot', async () => {
    const { world, account } = await createWorld()
    account.set({ ban: { seconds: 300 } })
    world.clock.advance('PT1M')
    const { world: copy } = await createSandbox({ now: () => startMs })
    await copy.use(world.snapshot())
    copy.clock.advance('-PT1M')
    expect(copy.quota.account('free').isBanned()).toBe(true)
    copy.clock.advance(-1)
    expect(copy.quota.account('free').isBanned()).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { createSandbox, type Scenario } from '../../src/index.js'

const startMs = Date.UTC(2026, 0, 15, 9, 30)

async function createWorld(scenario: Partial<Scenario> = {}) {
  const { world } = await createSandbox({
    scenario: { name: 'world', extends: ['default'], ...scenario },
    now: () => startMs,
  })
  return world
}

test('account accepts plans and listed keys only', async () => {
  const world = await createWorld({ apiKeys: [{ key: 'shop-key-1', plan: 'pro' }] })
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

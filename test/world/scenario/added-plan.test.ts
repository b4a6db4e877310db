import { expect, test, vi } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { createWorld } from './support.js'

vi.mock('../../../src/service/plans.js', async (importOriginal) => {
  const { plans } = await importOriginal<typeof import('../../../src/service/plans.js')>()
  const extended = { ...plans, gold: { title: 'Gold', requestsPerMinute: 2, requestsPerDay: 9 } }
  return { plans: extended, planIds: Object.keys(extended) }
})

test('a plan that is added to the table has limits, quota and an account', async () => {
  // The types know only the plans of the real table.
  const scenario = {
    name: 'mine',
    plans: { gold: { requestsPerDay: 7 } },
    quota: { gold: { day: { remaining: 1 } } },
  } as object
  const library = new ScenarioLibrary()
  library.add(scenario, 'mine.json')
  const world = createWorld(await library.prepare('mine'))
  expect(world.seed.plans).toMatchObject({ gold: { requestsPerMinute: 2, requestsPerDay: 7 } })
  expect(world.quota.account('gold').charge()).toMatchObject({ limit: 7, remaining: 0 })
  expect(world.quota.account('gold').charge().rejection).toBe('rate_limit_exceeded')
})

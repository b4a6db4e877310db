import { describe, expect, test } from 'vitest'
import { operationIds } from '../../../src/service/operations/operations.js'
import { planIds } from '../../../src/service/plans.js'
import { builtInScenarios, ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { readScenario, readValidScenario } from '../../../src/world/scenario/read.js'
import type { AnyScenarioSource } from '../../../src/world/scenario/source.js'
import type { WorldState } from '../../../src/world/world.js'
import { plainRequest, takeEffects } from '../../support/faults.js'
import { createWorld, startMs } from './support.js'

const dayMs = 86_400_000

async function createBuiltInWorld(source: AnyScenarioSource): Promise<WorldState> {
  return createWorld(await new ScenarioLibrary().prepare(source))
}

/** Charges the account of each plan several times. */
function chargeEachPlan(world: WorldState, requests: number) {
  return planIds.map((plan) =>
    Array.from({ length: requests }, () => world.quota.account(plan).charge()),
  )
}

test.each(builtInScenarios)('without validation, $name is read as with it', (scenario) => {
  const validated = readScenario(scenario, scenario.name)
  // As text, because the order of fields is visible in responses.
  expect(JSON.stringify(readValidScenario(scenario))).toBe(JSON.stringify(validated))
})

test.each(new ScenarioLibrary().names())(
  '%s runs on the real time and has orders of existing pets',
  async (name) => {
    const world = await createBuiltInWorld(name)
    expect([world.scenario, world.clock.now(), world.clock.isFrozen]).toEqual([
      name,
      startMs,
      false,
    ])
    const missing = world.db.orders.list().filter(({ petId }) => !world.db.pets.find(petId))
    expect(missing).toEqual([])
  },
)

test('low-stock has the pets of default with a quantity of 0 to 3', async () => {
  const { db } = await createBuiltInWorld('low-stock')
  const usual = await createBuiltInWorld('default')
  expect(db.pets.list().map(({ name }) => name)).toEqual(
    usual.db.pets.list().map(({ name }) => name),
  )
  const quantities = db.pets.list().map(({ quantity }) => quantity)
  expect([Math.min(...quantities), Math.max(...quantities)]).toEqual([0, 3])
})

test('on every plan, nearly-limited admits one request and rejects the second', async () => {
  const world = await createBuiltInWorld('nearly-limited')
  for (const [first, second] of chargeEachPlan(world, 2)) {
    expect([first?.rejection, first?.remaining]).toEqual([undefined, 0])
    expect(second).toMatchObject({
      rejection: 'rate_limit_exceeded',
      retryAtMs: startMs + 60_000,
    })
  }
})

test.each([
  ['rate-limited', 'rate_limit_exceeded', 60_000],
  ['daily-quota-spent', 'rate_limit_exceeded', dayMs],
  ['banned-key', 'api_key_banned', 600_000],
] as const)('%s rejects every plan with %s until %i ms have passed', async (name, code, ms) => {
  const world = await createBuiltInWorld(name)
  world.clock.advance('PT1H')
  const rejected = { rejection: code, retryAtMs: startMs + 3_600_000 + ms }
  expect(chargeEachPlan(world, 1).flat()).toMatchObject(planIds.map(() => rejected))
  world.clock.advance(ms)
  const charges = chargeEachPlan(world, 1).flat()
  expect(charges.map(({ rejection }) => rejection)).toEqual(planIds.map(() => undefined))
})

test('sunset-soon has its sunset in two to three days', async () => {
  const { deprecation } = await createBuiltInWorld('sunset-soon')
  expect(deprecation.deprecatedAtMs).toBeLessThan(startMs)
  expect(deprecation.sunsetAtMs).toBeGreaterThan(startMs + 2 * dayMs)
  expect(deprecation.sunsetAtMs).toBeLessThanOrEqual(startMs + 3 * dayMs)
})

describe('faults', () => {
  test.each(operationIds)(
    'flaky affects about one request in five of %s, in four ways',
    async (operation) => {
      const world = await createBuiltInWorld('flaky')
      const requests = Array.from({ length: 2_000 }, () => takeEffects(world.faults, operation))
      const affected = requests.filter((faults) => faults.length > 0)
      expect(affected.length / requests.length).toBeGreaterThan(0.15)
      expect(affected.length / requests.length).toBeLessThan(0.25)
      const kinds = affected
        .flat()
        .map((effect) => effect !== 'pass' && ('status' in effect ? effect.status : effect.type))
      expect(new Set(kinds)).toEqual(new Set([503, 500, 'reset', 'truncate']))
      expect(requests.findIndex((faults) => faults.length > 0)).toBeLessThan(20)
    },
  )

  test('slow delays every request, some by seconds', async () => {
    const world = await createBuiltInWorld('slow')
    const delays = Array.from({ length: 200 }, () =>
      world.faults
        .take('listInventory', plainRequest)
        .reduce((sum, { delayMs }) => sum + delayMs, 0),
    )
    expect(new Set(delays)).toEqual(new Set([800, 4_800]))
  })
})

test('the later of two conflicting scenarios wins', async () => {
  expect((await createBuiltInWorld(['low-stock', 'empty-store'])).db.pets.count).toBe(0)
  const { quota } = await createBuiltInWorld(['rate-limited', 'nearly-limited'])
  expect(quota.account('free').charge().rejection).toBeUndefined()
  const { deprecation } = await createBuiltInWorld(['sunset-soon', 'sunset-passed'])
  expect(deprecation.sunsetAtMs).toBeLessThan(startMs)
  const { faults } = await createBuiltInWorld(['flaky', 'slow'])
  expect(faults.list()).toEqual((await createBuiltInWorld('slow')).faults.list())
})

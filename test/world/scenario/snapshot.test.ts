import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { addresses } from '../../../src/service/addresses.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import type { Scenario } from '../../../src/world/scenario/schema.js'
import { toSnapshot } from '../../../src/world/scenario/snapshot.js'
import type { WorldState } from '../../../src/world/world.js'
import { createWorld } from './support.js'

/** Returns all state of a world except its name. */
function readState(world: WorldState) {
  const { inventoryUpdateSchema: _, ...rules } = world.rules
  return {
    now: world.clock.now(),
    isFrozen: world.clock.isFrozen,
    pets: world.db.pets.list(),
    orders: world.db.orders.list(),
    messages: world.db.messages.list(),
    quota: world.quota.toSettings(),
    faults: world.faults.list(),
    deprecation: world.deprecation,
    apiKeys: world.seed.apiKeys,
    plans: world.seed.plans,
    seed: world.random.seed,
    draws: world.random.draws,
    rules,
  }
}

/** Starts a world from the snapshot of another, passed through JSON. */
async function restore(world: WorldState): Promise<WorldState> {
  const file: Scenario = JSON.parse(JSON.stringify(toSnapshot(world)))
  return createWorld(await new ScenarioLibrary().prepare(file))
}

describe('a snapshot', () => {
  test.each(new ScenarioLibrary().names())(
    'of %s starts a world in the same state',
    async (name) => {
      const world = createWorld(await new ScenarioLibrary().prepare(name))
      expect(readState(await restore(world))).toEqual(readState(world))
    },
  )

  test.each(['1000-01-01T00:00:00.000Z', '8999-12-31T23:59:59.999Z'])(
    'of a world whose clock is at a limit, %s, can be loaded',
    async (now) => {
      const scenario: Scenario = { name: 'edge', extends: 'default', clock: { now, frozen: true } }
      const world = createWorld(await new ScenarioLibrary().prepare(scenario))
      world.quota.account('free').charge(world.clock.now())
      expect(readState(await restore(world))).toEqual(readState(world))
    },
  )

  test('of a world whose clock ran past the year 8999 can be loaded', async () => {
    let realMs = Date.UTC(2026, 0, 15)
    const clock = { now: '8999-12-31T23:59:59Z' }
    const scenario: Scenario = { name: 'late', extends: 'default', clock }
    const sandbox = await createSandbox({ scenario, now: () => realMs })
    expect(sandbox.world.clock.now()).toBe(Date.parse(clock.now))
    realMs += 60_000
    const free = { headers: { Authorization: 'Bearer sbx_free' } }
    await sandbox.fetch(`${addresses.api.url}/inventory`, free)
    const snapshot = sandbox.world.snapshot()
    await sandbox.world.use(snapshot)
    expect(sandbox.world.snapshot().clock).toEqual(snapshot.clock)
    expect((await sandbox.fetch(`${addresses.api.url}/inventory`, free)).status).toBe(200)
  })

  test('results in the same world without validation', async () => {
    const apiKeys = [{ key: 'acme-live-key-0001', plan: 'business' as const }]
    const { world } = await createSandbox({
      scenario: { name: 'used', extends: 'default', apiKeys },
    })
    const chip: object = { chip: { id: '0a' } }
    world.db.pets.add({ petId: '9223372036854775807', name: 'Max', ...chip })
    world.db.orders.add({ id: '9007199254740993', petId: 1 })
    const snapshot = world.snapshot()
    const library = new ScenarioLibrary()
    const seeds = [
      await library.prepareStored(snapshot, snapshot.name),
      await library.prepare(snapshot),
    ]
    const [unvalidated, validated] = seeds.map((seed) =>
      JSON.stringify(toSnapshot(createWorld(seed))),
    )
    expect(unvalidated).toBe(validated)
  })
})

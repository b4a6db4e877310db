import { toInt64Json } from '../../service/int64.js'
import { toTimestamp } from '../../service/timestamp.js'
import type { WorldState } from '../world.js'
import type { Scenario } from './schema.js'

/**
 * Returns the state of a world, without the journal, as a scenario. A world that starts from it
 * responds in the same way.
 *
 * @param name Name of the scenario, in kebab-case.
 */
export function toSnapshot(world: WorldState, name = 'snapshot'): Scenario {
  const now = toTimestamp(world.clock.now())
  const settings = {
    name,
    description: `The state of a world of ${world.scenario} at ${now}.`,
    seed: world.random.seed,
    draws: world.random.draws,
    clock: { now, frozen: world.clock.isFrozen },
    apiKeys: Object.entries(world.apiKeys).map(([key, plan]) => ({ key, plan })),
    plans: world.seed.plans,
    quota: world.quota.toSettings(),
    deprecation: toDeprecationSettings(world),
    faults: world.faults.list(),
    rules: toRuleSettings(world),
  }
  // The settings are those that worlds share.
  const copy: typeof settings = JSON.parse(JSON.stringify(settings))
  const { quota, deprecation, faults, rules, ...others } = copy
  return {
    ...others,
    pets: world.db.pets().map((pet) => ({ ...pet, petId: toInt64Json(pet.petId) })),
    orders: world.db.orders().map((order) => ({
      ...order,
      id: toInt64Json(order.id),
      petId: toInt64Json(order.petId),
    })),
    messages: world.db.messages(),
    quota,
    deprecation,
    faults,
    rules,
  }
}

/** Returns absolute dates, because durations would count from the start of the new world. */
function toDeprecationSettings({ deprecation }: WorldState): Scenario['deprecation'] {
  return {
    deprecatedAt: toTimestamp(deprecation.deprecatedAtMs),
    sunsetAt: toTimestamp(deprecation.sunsetAtMs),
    link: deprecation.link,
    afterSunset: deprecation.afterSunset,
  }
}

/** Returns the rules without the derived schema. */
function toRuleSettings({ rules }: WorldState): Scenario['rules'] {
  const { inventoryUpdateSchema: _, ...settings } = rules
  return settings
}

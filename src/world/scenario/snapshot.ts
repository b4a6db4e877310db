import { mapKinds, type Records, toJsonRecord } from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
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
  return {
    name,
    description: `The state of a world of ${world.scenario} at ${now}.`,
    seed: world.random.seed,
    draws: world.random.draws,
    clock: { now, frozen: world.clock.isFrozen },
    apiKeys: Object.entries(world.apiKeys).map(([key, plan]) => ({ key, plan })),
    plans: copy(world.seed.plans),
    ...toRecordLists(mapKinds<Records>((kind) => world.db[kind].list())),
    quota: copy(world.quota.toSettings()),
    deprecation: toDeprecationSettings(world),
    faults: copy(world.faults.list()),
    rules: copy(toRuleSettings(world)),
  }
}

/** Returns records as a scenario states them. */
export function toRecordLists(records: Records): Pick<Scenario, KindName> {
  return mapKinds((kind) => records[kind].map((record) => toJsonRecord(kind, record)))
}

/** Copies settings, which worlds share. */
function copy<Settings>(settings: Settings): Settings {
  return JSON.parse(JSON.stringify(settings))
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

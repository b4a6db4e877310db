import { toInt64Json } from '../../service/int64.js'
import { LazyList } from '../../service/lazy-list.js'
import type { Message } from '../../service/schemas.js'
import { toTimestamp } from '../../service/timestamp.js'
import type { WorldState } from '../world.js'
import type { Scenario } from './schema.js'

/**
 * Returns the state of a world, without the journal, as a scenario. A world that starts from it
 * responds in the same way.
 *
 * @param name Name of the scenario, in kebab-case.
 */
export function toSnapshot(world: WorldState, name?: string): Scenario {
  const snapshot = toLazySnapshot(world, name)
  const { pets, orders, messages, ...settings } = snapshot
  // The settings are those that worlds share.
  const own: typeof settings = JSON.parse(JSON.stringify(settings))
  return { ...own, pets: [...pets], orders: [...orders], messages: [...messages] }
}

/** The lists of a scenario that contain the data of a world. */
type RecordList = 'pets' | 'orders' | 'messages'

/** A snapshot whose records are captured, and converted when they are read. */
export type LazySnapshot = Omit<Scenario, RecordList> & {
  readonly [List in RecordList]: LazyList<NonNullable<Scenario[List]>[number]>
}

/**
 * Like {@link toSnapshot}, but converts the records when they are read.
 *
 * @param toMessage Converts each queued message.
 */
export function toLazySnapshot(
  world: WorldState,
  name = 'snapshot',
  toMessage = (message: Message): Message => message,
): LazySnapshot {
  const now = toTimestamp(world.clock.now())
  return {
    name,
    description: `The state of a world of ${world.scenario} at ${now}.`,
    seed: world.random.seed,
    draws: world.random.draws,
    clock: { now, frozen: world.clock.isFrozen },
    apiKeys: Object.entries(world.apiKeys).map(([key, plan]) => ({ key, plan })),
    plans: world.seed.plans,
    pets: LazyList.from(world.db.iteratePets(), (pet) => ({
      ...pet,
      petId: toInt64Json(pet.petId),
    })),
    orders: LazyList.from(world.db.iterateOrders(), (order) => ({
      ...order,
      id: toInt64Json(order.id),
      petId: toInt64Json(order.petId),
    })),
    messages: LazyList.from(world.db.iterateMessages(), toMessage),
    quota: world.quota.toSettings(),
    deprecation: toDeprecationSettings(world),
    faults: world.faults.list(),
    rules: toRuleSettings(world),
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

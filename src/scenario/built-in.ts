import bannedKey from '../../scenarios/banned-key.json' with { type: 'json' }
import dailyQuotaSpent from '../../scenarios/daily-quota-spent.json' with { type: 'json' }
import default_ from '../../scenarios/default.json' with { type: 'json' }
import emptyStore from '../../scenarios/empty-store.json' with { type: 'json' }
import flaky from '../../scenarios/flaky.json' with { type: 'json' }
import int64Ids from '../../scenarios/int64-ids.json' with { type: 'json' }
import largeCatalogue from '../../scenarios/large-catalogue.json' with { type: 'json' }
import lowStock from '../../scenarios/low-stock.json' with { type: 'json' }
import nearlyLimited from '../../scenarios/nearly-limited.json' with { type: 'json' }
import rateLimited from '../../scenarios/rate-limited.json' with { type: 'json' }
import slow from '../../scenarios/slow.json' with { type: 'json' }
import sunsetPassed from '../../scenarios/sunset-passed.json' with { type: 'json' }
import sunsetSoon from '../../scenarios/sunset-soon.json' with { type: 'json' }
import type { OrderInput } from '../contract/schemas.js'
import type { ReadScenario, ScenarioLists } from './read.js'
import type { Scenario } from './schema.js'

/** A built-in scenario. Its records state all fields, in the order of their schema. */
export type BuiltInScenario = Scenario & { readonly description: string }

/** The built-in scenario files. */
export const builtInScenarios = [
  default_,
  emptyStore,
  lowStock,
  largeCatalogue,
  int64Ids,
  nearlyLimited,
  rateLimited,
  dailyQuotaSpent,
  bannedKey,
  sunsetSoon,
  sunsetPassed,
  flaky,
  slow,
] as readonly BuiltInScenario[] // a test validates them

/** Returns what `readScenario` returns, without validation, which would take 10 ms of the start. */
export function readBuiltIn({ pets, orders, ...fields }: BuiltInScenario): ReadScenario {
  const lists = {
    ...(pets && { pets: pets.map((pet) => ({ ...pet, petId: String(pet.petId) })) }),
    ...(orders && { orders: orders.map(toOrder) }),
  }
  return { fields, lists: lists as ScenarioLists } // the records state all fields
}

function toOrder(order: OrderInput): object {
  return { ...order, id: String(order.id), petId: String(order.petId) }
}

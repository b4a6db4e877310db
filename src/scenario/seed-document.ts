import { toInt64Json } from '../contract/int64.js'
import type { WorldSeed } from '../world/seed.js'
import type { Scenario } from './schema.js'

/** Name of the scenario in a document. The seed that is prepared from it gets its own name. */
const documentName = 'stored'

/**
 * Returns a seed as a scenario that depends on no other scenario. A world that starts from it equals
 * a world that starts from the seed.
 */
export function toSeedDocument(seed: WorldSeed): Scenario {
  const { inventoryUpdateSchema: _, ...rules } = seed.rules
  return {
    name: documentName,
    seed: seed.seed,
    draws: seed.draws,
    clock: seed.clock,
    apiKeys: Object.entries(seed.apiKeys).map(([key, plan]) => ({ key, plan })),
    plans: seed.plans,
    pets: seed.pets.map((pet) => ({ ...pet, petId: toInt64Json(pet.petId) })),
    orders: seed.orders.map((order) => ({
      ...order,
      id: toInt64Json(order.id),
      petId: toInt64Json(order.petId),
    })),
    messages: [...seed.messages],
    quota: seed.quota,
    deprecation: seed.deprecation,
    faults: [...seed.faults],
    rules,
  }
}

/** Returns a hash of a string: 106 bits of two runs of cyrb53, and the length. Not for secrets. */
export function hashText(text: string): string {
  return `${cyrb53(text, 0)}${cyrb53(text, 1)}${text.length.toString(36)}`
}

/** cyrb53 (public domain): a hash of 53 bits, in base 36. */
function cyrb53(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36).padStart(11, '0')
}

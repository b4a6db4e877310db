import { listShared } from '../database/database.js'
import type { WorldSeed } from '../seed.js'
import type { Scenario } from './schema.js'
import { toRecordLists } from './snapshot.js'

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
    ...toRecordLists(listShared(seed.records)),
    quota: seed.quota,
    deprecation: seed.deprecation,
    faults: [...seed.faults],
    rules,
  }
}

/** A seed as a document. */
export interface SeedDocument {
  /** Depends on the text only. */
  readonly id: string
  /** {@link toSeedDocument} as JSON. */
  readonly text: string
}

const ids = new WeakMap<WorldSeed, string>()

/** Returns a seed as a document. Computes its id once. */
export function createSeedDocument(seed: WorldSeed): SeedDocument {
  const text = JSON.stringify(toSeedDocument(seed))
  const id = ids.get(seed) ?? hashText(text)
  ids.set(seed, id)
  return { id, text }
}

/**
 * Returns a hash of a string: 106 bits of two runs of cyrb53 (public domain), and the length. Not for
 * secrets.
 */
export function hashText(text: string): string {
  let [high0, low0] = start(0)
  let [high1, low1] = start(1)
  // One loop for both runs: a page executes it before the code is optimized.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high0 = Math.imul(high0 ^ code, 2_654_435_761)
    low0 = Math.imul(low0 ^ code, 1_597_334_677)
    high1 = Math.imul(high1 ^ code, 2_654_435_761)
    low1 = Math.imul(low1 ^ code, 1_597_334_677)
  }
  return `${finish(high0, low0)}${finish(high1, low1)}${text.length.toString(36)}`
}

function start(seed: number): [high: number, low: number] {
  return [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
}

/** Returns 53 bits in base 36. */
function finish(high: number, low: number): string {
  const mixedHigh =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const mixedLow =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^
    Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & mixedLow) + (mixedHigh >>> 0)).toString(36).padStart(11, '0')
}

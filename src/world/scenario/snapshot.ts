import { mapKinds, type Records, toJsonRecord } from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import { toTimestamp } from '../../service/timestamp.js'
import { listRecords } from '../database/database.js'
import type { WorldSeed } from '../seed.js'
import type { WorldState } from '../world.js'
import type { Scenario } from './schema.js'

/**
 * Returns the state of a world, without the journal, as a scenario. A world that starts from it
 * responds in the same way.
 *
 * @param name Name of the scenario, in kebab-case.
 */
export function toSnapshot(world: WorldState, name = 'snapshot'): Scenario {
  const { clock, random, deprecation } = world
  const now = toTimestamp(clock.now())
  const description = `The state of a world of ${world.scenario} at ${now}.`
  const settings = {
    ...world.seed,
    seed: random.seed,
    draws: random.draws,
    clock: { now, frozen: clock.isFrozen },
    apiKeys: world.apiKeys,
    quota: world.quota.toSettings(),
    // Absolute dates, because durations would count from the start of the new world.
    deprecation: {
      deprecatedAt: toTimestamp(deprecation.deprecatedAtMs),
      sunsetAt: toTimestamp(deprecation.sunsetAtMs),
      link: deprecation.link,
      afterSunset: deprecation.afterSunset,
    },
    faults: world.faults.list(),
  }
  return { name, description, ...toScenario(settings, listRecords(world.db)) }
}

/**
 * Returns a seed as a scenario that depends on no other scenario. A world that starts from it equals
 * a world that starts from the seed.
 */
export function toSeedDocument(seed: WorldSeed): Scenario {
  // The seed that is prepared from the scenario has its own name.
  return { name: 'stored', ...toScenario(seed, listRecords(seed.records)) }
}

/**
 * Returns an id of the content of a seed: the SHA-256 of its document, or a checksum in a page that is no
 * secure context, which has no SHA-256.
 */
export async function toSeedId(seed: WorldSeed): Promise<string> {
  const text = JSON.stringify(toSeedDocument(seed))
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle) return toChecksum(text)
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns 64 bits of a text, in hexadecimal form: two FNV-1a hashes with different primes. */
function toChecksum(text: string): string {
  const hashes = [0x01000193, 0x5bd1e995].map((prime) => {
    let hash = 0x811c9dc5
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
    return (hash >>> 0).toString(16)
  })
  return hashes.join('')
}

/** Returns a copy of the settings, which worlds share, and the records in the form of a scenario. */
function toScenario(
  settings: Omit<WorldSeed, 'records'>,
  records: Records,
): Omit<Scenario, 'name'> {
  const { seed, draws, clock, apiKeys, plans, quota, deprecation, faults, rules } = settings
  const { inventoryUpdateSchema: _, ...ruleSettings } = rules
  return {
    seed,
    draws,
    clock: copy(clock),
    apiKeys: Object.entries(apiKeys).map(([key, plan]) => ({ key, plan })),
    plans: copy(plans),
    ...mapKinds<Pick<Scenario, KindName>>((kind) =>
      records[kind].map((record) => toJsonRecord(kind, record)),
    ),
    quota: copy(quota),
    deprecation: copy(deprecation),
    faults: copy([...faults]),
    rules: copy(ruleSettings),
  }
}

function copy<Settings>(settings: Settings): Settings {
  return JSON.parse(JSON.stringify(settings))
}

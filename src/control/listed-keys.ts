import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { plans } from '../service/plans.js'
import { maximumKeys, type Scenario } from '../world/scenario/schema.js'
import type { WorldSeed } from '../world/seed.js'
import type { ListedKeys } from '../world/world.js'
import { mayControl } from './access.js'
import type { ControlRequest } from './operation.js'

/**
 * Checks the keys that a scenario lists, before a client starts its world from it.
 *
 * @throws {Problem} invalid_scenario
 */
export function checkListedKeys(request: ControlRequest, seed: WorldSeed): void {
  rejectLockout(request, seed)
  rejectClaim(request, seed)
  rejectExcess(request, seed)
}

/** Rejects a scenario after whose start the key of the request could not control the world. */
function rejectLockout(request: ControlRequest, seed: WorldSeed): void {
  const { accountId, apiKey, sandbox } = request
  if (Object.hasOwn(seed.apiKeys, accountId)) return
  // The account of every other key is a plan.
  if (!Object.hasOwn(plans, accountId)) {
    throw createProblem(seed, `list the key ${apiKey} that controls this world`, 'none')
  }
  if (mayControl(sandbox.access, accountId, seed.apiKeys)) return
  const wanted = `be empty, because the key ${apiKey} could not control a world that lists keys`
  throw createProblem(seed, wanted, countKeys(seed.apiKeys))
}

/** Rejects a scenario that lists a key of another world. */
function rejectClaim({ world, sandbox }: ControlRequest, seed: WorldSeed): void {
  // Most worlds share the keys of their scenario.
  const others = new Set<ListedKeys>()
  for (const other of sandbox.worlds.all()) {
    if (other.name.environment !== world.name.environment) continue
    others.add(other.seed.apiKeys).add(other.ownKeys)
  }
  const claimed = Object.keys(seed.apiKeys).find((apiKey) => {
    const lists = (listed: ListedKeys) => Object.hasOwn(listed, apiKey)
    return !lists(world.seed.apiKeys) && !lists(world.ownKeys) && [...others].some(lists)
  })
  if (claimed === undefined) return
  throw createProblem(seed, 'list no key of another world', maskApiKey(claimed))
}

/** Rejects a scenario with more keys than a snapshot can have after a reset. */
function rejectExcess({ world }: ControlRequest, seed: WorldSeed): void {
  const { ownKeys } = world
  if (Object.keys({ ...ownKeys, ...seed.apiKeys }).length <= maximumKeys) return
  const wanted = `have fewer keys, because a reset restores ${countKeys(ownKeys)} of the first scenario in addition`
  throw createProblem(seed, wanted, countKeys(seed.apiKeys))
}

/** The part of a snapshot that contains listed keys. */
type SnapshotKeys = Pick<Scenario, 'description' | 'apiKeys' | 'quota'>

/**
 * Replaces the listed keys of a snapshot, except one, by random placeholders. The description states
 * their number. The snapshot stays a valid scenario.
 *
 * @param own The key that is not replaced.
 * @param createLabel Returns a random string.
 */
export function maskListedKeys<Snapshot extends SnapshotKeys>(
  snapshot: Snapshot,
  own: string,
  createLabel: () => string,
): Snapshot {
  const { description = '', apiKeys = [], quota = {} } = snapshot
  const others = apiKeys.filter(({ key }) => key !== own)
  if (others.length === 0) return snapshot
  // A placeholder that others could guess would be a key wherever the snapshot is used.
  const placeholders = new Map(others.map(({ key }) => [key, `masked-${createLabel()}`]))
  const mask = (key: string) => placeholders.get(key) ?? key
  return {
    ...snapshot,
    description: `${description} Number of listed API keys that are replaced by placeholders: ${others.length}.`,
    apiKeys: apiKeys.map(({ key, plan }) => ({ key: mask(key), plan })),
    quota: Object.fromEntries(Object.entries(quota).map(([id, settings]) => [mask(id), settings])),
  }
}

function countKeys(apiKeys: WorldSeed['apiKeys']): string {
  return `${Object.keys(apiKeys).length} keys`
}

function createProblem({ scenario }: WorldSeed, wanted: string, found: string): Problem {
  return new Problem('invalid_scenario', `apiKeys of ${scenario} must ${wanted}, found ${found}`)
}

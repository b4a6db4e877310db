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
  const { world, accountId, apiKey, sandbox } = request
  const { scenario, apiKeys } = seed
  const reject = (wanted: string, found: string): never => {
    const message = `apiKeys of ${scenario} must ${wanted}, found ${found}`
    throw new Problem('invalid_scenario', message)
  }
  // The account of a key that no scenario lists is a plan.
  if (!Object.hasOwn({ ...plans, ...apiKeys }, accountId)) {
    reject(`list the key ${apiKey} that controls this world`, 'none')
  }
  if (!mayControl(sandbox.access, world, accountId, apiKeys)) {
    const wanted = `be empty, because the key ${apiKey} could not control a world that lists keys`
    reject(wanted, countKeys(apiKeys))
  }
  const claimed = findClaimed(request, seed)
  if (claimed !== undefined) reject('list no key of another world', maskApiKey(claimed))
  // A snapshot lists both after a reset.
  if (Object.keys({ ...world.ownKeys, ...apiKeys }).length > maximumKeys) {
    const wanted = `have fewer keys, because a reset restores ${countKeys(world.ownKeys)} of the first scenario in addition`
    reject(wanted, countKeys(apiKeys))
  }
}

/** Returns a key of a scenario that another world lists. */
function findClaimed(
  { world, sandbox }: ControlRequest,
  { apiKeys }: WorldSeed,
): string | undefined {
  // Most worlds share the keys of their scenario.
  const listings = new Set<ListedKeys>()
  for (const { name, seed, ownKeys } of sandbox.worlds.all()) {
    if (name.environment === world.name.environment) listings.add(seed.apiKeys).add(ownKeys)
  }
  const own = { ...world.seed.apiKeys, ...world.ownKeys }
  return Object.keys(apiKeys).find((key) => {
    return !Object.hasOwn(own, key) && [...listings].some((listed) => Object.hasOwn(listed, key))
  })
}

/**
 * Replaces the listed keys of a snapshot, except one, by random placeholders. The description states
 * their number. The snapshot stays a valid scenario.
 *
 * @param own The key that is not replaced.
 * @param createLabel Returns a random string.
 */
export function maskListedKeys(
  snapshot: Scenario,
  own: string,
  createLabel: () => string,
): Scenario {
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

import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { plans } from '../service/plans.js'
import { scenarioSchema } from '../world/scenario/schema.js'
import type { WorldSeed } from '../world/seed.js'
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
  const { accountId, apiKey, host } = request
  if (Object.hasOwn(seed.apiKeys, accountId)) return
  // The account of every other key is a plan.
  if (!Object.hasOwn(plans, accountId)) {
    throw createProblem(seed, `list the key ${apiKey} that controls this world`, 'none')
  }
  if (host.access.mayControl(accountId, seed.apiKeys)) return
  const wanted = `be empty, because the key ${apiKey} could not control a world that lists keys`
  throw createProblem(seed, wanted, countKeys(seed.apiKeys))
}

/** Rejects a scenario that lists a key of another world. */
function rejectClaim({ world, host }: ControlRequest, seed: WorldSeed): void {
  const claimed = host.findClaimedKey(world, Object.keys(seed.apiKeys))
  if (claimed === undefined) return
  throw createProblem(seed, 'list no key of another world', maskApiKey(claimed))
}

/** Rejects a scenario with more keys than a snapshot can have after a reset. */
function rejectExcess({ world: { ownKeys } }: ControlRequest, seed: WorldSeed): void {
  const together = Object.entries({ ...ownKeys, ...seed.apiKeys })
  const apiKeys = together.map(([key, plan]) => ({ key, plan }))
  if (scenarioSchema().shape.apiKeys.safeParse(apiKeys).success) return
  const wanted = `have fewer keys, because a reset restores ${countKeys(ownKeys)} of the first scenario in addition`
  throw createProblem(seed, wanted, countKeys(seed.apiKeys))
}

function countKeys(apiKeys: WorldSeed['apiKeys']): string {
  return `${Object.keys(apiKeys).length} keys`
}

function createProblem({ scenario }: WorldSeed, wanted: string, found: string): Problem {
  return new Problem('invalid_scenario', `apiKeys of ${scenario} must ${wanted}, found ${found}`)
}

import type { World } from '../control/world.js'
import { maskApiKey } from '../service/api-key.js'
import { type PlanId, plans } from '../service/plans.js'

/** A valid key with its world, its plan and its account. */
export interface KeyHolder {
  readonly maskedKey: string
  /** Explanation of the key for the journal. */
  readonly description: string
  readonly world: World
  readonly plan: PlanId
  /** The account of the key in its world: its plan, or the key itself if the scenario lists it. */
  readonly accountId: string
}

/** Creates the holder of a key. */
export function createKeyHolder(
  apiKey: string,
  plan: PlanId,
  accountId: string,
  world: World,
): KeyHolder {
  const { environment, scenario, label } = world.name
  const place = label === '' ? scenario : `${scenario}/${shortenLabel(label)}`
  const maskedKey = maskApiKey(apiKey)
  return {
    world,
    plan,
    accountId,
    maskedKey,
    // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
    description: [
      `key ${maskedKey} is on plan ${plans[plan].title}`,
      `world ${environment}/${place}`,
    ].join(', '),
  }
}

/**
 * Truncates a long label, which may be secret: plan, scenario and label together are the whole key.
 */
function shortenLabel(label: string): string {
  return label.length > 8 ? `${label.slice(0, 8)}…` : label
}

import type { Environment } from '../contract/addresses.js'
import { maskApiKey } from '../contract/api-key.js'
import { type PlanId, plans } from '../contract/plans.js'
import type { ControlHost } from '../control/operation.js'
import type { World } from '../control/world.js'
import type { SliceRunner } from '../validation/slices.js'
import type { JournalEntry } from '../world/journal/journal.js'

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

/** The part of the sandbox that the pipeline uses. */
export interface Host extends ControlHost {
  /**
   * Returns the holder of a key in an environment. Creates the world if it does not exist yet.
   *
   * @throws {Problem} invalid_api_key, synchronously or as a rejection.
   */
  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder>
  /** Returns the world that records the requests without a valid key. */
  initialWorld(environment: Environment): World
  /** Returns monotonic milliseconds, for durations. */
  monotonic(): number
  /** Resolves after this many real milliseconds. */
  sleep(ms: number): Promise<void>
  /** Performs work that would block other requests. */
  readonly slices: SliceRunner
  /** Called after each response of the service. */
  onRequest(entry: JournalEntry, world: World): void
  /** Called after each control request that may have changed a world. */
  onControl(world: World): void
  /** Called with each error that is not a documented one: a bug. */
  reportError(error: unknown): void
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
    description: `key ${maskedKey} is on plan ${plans[plan].title}, world ${environment}/${place}`,
  }
}

/**
 * Truncates a long label, which may be secret: plan, scenario and label together are the whole key.
 */
function shortenLabel(label: string): string {
  return label.length > 8 ? `${label.slice(0, 8)}…` : label
}

import type { Environment } from '../contract/addresses.js'
import type { PlanId } from '../contract/plans.js'
import type { ControlHost } from '../control/control-operation.js'
import type { World } from '../control/world.js'
import type { JournalEntry } from '../world/journal/journal.js'
import type { Account } from '../world/quota/account.js'

/** What a key reaches: its world, and its plan and quota there. */
export interface KeyHolder {
  readonly world: World
  readonly plan: PlanId
  /** The account of the key in its world: its plan, or the key itself if the scenario lists it. */
  readonly accountId: string
  /** Looked up with each call, because a world that starts anew has new accounts. */
  readonly account: () => Account
}

/** What the way of a call needs from the sandbox around it. */
export interface Host extends ControlHost {
  /**
   * The holder of a key in an environment. A world that does not exist yet is made.
   *
   * @throws {Problem} invalid_api_key; thrown or rejected.
   */
  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder>
  /** The world that keeps the calls without a valid key. */
  initialWorld(environment: Environment): World
  /** Milliseconds that only ever grow, for durations. */
  monotonic(): number
  /** Resolves after so many real milliseconds. */
  sleep(ms: number): Promise<void>
  /** Hears of each call once it is answered. */
  onRequest(entry: JournalEntry, world: World): void
  /** Hears of each world that a steering call may have changed, once it is done. */
  onControl(world: World): void
  /** Hears of a defect: something was thrown that the contract does not name. */
  reportError(error: unknown): void
}

import type { PlanId, PlanLimits } from '../contract/plans.js'
import type { ClockSettings } from './clock.js'
import type { Records } from './database.js'
import type { DeprecationSettings } from './deprecation.js'
import type { Fault } from './faults/faults.js'
import type { AccountSettings } from './quota/account.js'
import type { Rules } from './rules.js'

/** All that a world starts from: a scenario, merged, generated and with every default filled in. */
export interface WorldSeed extends Records {
  /** Name of the scenario. */
  readonly scenario: string
  readonly seed: number
  /** How many numbers were drawn from the seed already. */
  readonly draws: number
  readonly clock: ClockSettings
  readonly plans: Readonly<Record<PlanId, PlanLimits>>
  /** Keys beyond those of the form `sbx_…`, each with its plan. */
  readonly apiKeys: Readonly<Record<string, PlanId>>
  /** By plan, by key of `apiKeys`, or `*` for every key that is not named. */
  readonly quota: Readonly<Record<string, AccountSettings>>
  readonly deprecation: DeprecationSettings
  readonly faults: readonly Fault[]
  readonly rules: Rules
}

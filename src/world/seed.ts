import type { PlanId, PlanLimits } from '../service/plans.js'
import type { ClockSettings } from './clock.js'
import type { SharedRecords } from './database/database.js'
import type { DeprecationSettings } from './deprecation.js'
import type { Fault } from './faults/schema.js'
import type { AccountSettings } from './quota/settings.js'
import type { Rules } from './rules.js'

/** Initial state of a world: a merged scenario, including defaults and generated records. */
export interface WorldSeed {
  /** Name of the scenario. */
  readonly scenario: string
  readonly seed: number
  /** Number of values already drawn from the seed. */
  readonly draws: number
  readonly clock: ClockSettings
  readonly plans: Readonly<Record<PlanId, PlanLimits>>
  /** Plan of each additional API key. */
  readonly apiKeys: Readonly<Record<string, PlanId>>
  /** By plan, by key of `apiKeys`, or `*` for all other keys. */
  readonly quota: Readonly<Record<string, AccountSettings>>
  readonly deprecation: DeprecationSettings
  readonly faults: readonly Fault[]
  readonly rules: Rules
  /** The records, which worlds share. @internal */
  readonly records: SharedRecords
  /** The known scenarios that it was prepared from. Undefined if one of them was an object. */
  readonly names: readonly string[] | undefined
  /** Estimated heap of the seed with its records, in bytes. */
  readonly bytes: number
}

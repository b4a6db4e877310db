import type { PlanId, PlanLimits } from '../service/plans.js'
import type { KindName } from '../service/schemas.js'
import type { ClockSettings } from './clock.js'
import type { SharedRecords } from './database/database.js'
import type { DeprecationSettings } from './deprecation.js'
import type { Fault } from './faults/schema.js'
import type { AccountSettings } from './quota/settings.js'
import type { Rules } from './rules.js'
import type { ReadScenario } from './scenario/read.js'

/** One of the scenarios that a seed was prepared from: a name, or the content of an object. */
export type SeedPart = string | ObjectPart

interface ObjectPart extends ReadScenario {
  /** Number of entries of the lists that are not in `lists`, because the seed has their records. */
  readonly counts: { readonly [Name in KindName]?: number }
}

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
  /**
   * The records, which worlds share.
   *
   * @internal
   */
  readonly records: SharedRecords
  /** What it was prepared from. */
  readonly parts: readonly SeedPart[]
  /** Estimated heap of the seed with its records, in bytes. */
  readonly bytes: number
}

import type { PlanId } from '../service/plans.js'
import type { SharedRecords } from './database/database.js'
import type { Rules } from './rules.js'
import type { FilledScenario } from './scenario/schema.js'

/** The settings of a scenario that its worlds use unchanged. */
type SeedSettings = Pick<
  FilledScenario,
  'seed' | 'draws' | 'clock' | 'plans' | 'quota' | 'deprecation' | 'faults'
>

/** Initial state of a world: a merged scenario, including defaults and generated records. */
export interface WorldSeed extends Readonly<SeedSettings> {
  /** Name of the scenario. */
  readonly scenario: string
  /** Plan of each additional API key. */
  readonly apiKeys: Readonly<Record<string, PlanId>>
  readonly rules: Rules
  /** The records, which worlds share. @internal */
  readonly records: SharedRecords
  /** The names of the scenarios that it was prepared from. Undefined if one of them was an object. */
  readonly names: readonly string[] | undefined
  /** Whether worlds share it, because it was prepared from a single name. */
  readonly isShared: boolean
  /** Estimated heap of the seed with its records, in bytes. */
  readonly bytes: number
}

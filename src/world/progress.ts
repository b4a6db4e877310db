import type { Change } from '../service/operations/operation.js'
import type { ClockState } from './clock.js'
import type { ChangeCounts } from './database/database.js'
import type { FaultUses } from './faults/faults.js'
import type { Fault } from './faults/schema.js'
import type { RecordedEntry } from './journal/entry.js'
import type { FactState, RequestFact } from './journal/facts.js'
import type { AccountState } from './quota/settings.js'

/**
 * The part of the state of a world that each request may change, as JSON can represent it. A field
 * that is undefined is that of the state before. Times are in milliseconds since the epoch.
 */
export interface Progress {
  /** Time of the world. */
  readonly atMs: number
  readonly clock?: ClockState | undefined
  /** Number of values drawn from the seed. */
  readonly draws?: number | undefined
  /** Id of the latest journal entry. */
  readonly lastId?: number | undefined
  /** Id up to which the entries of the journal were removed. */
  readonly clearedId?: number | undefined
  /** Only with the whole state: other records have the changes. */
  readonly changeCounts?: ChangeCounts | undefined
  /**
   * The requests for reports. Only with the whole state: other records have their own. Version 1.0
   * wrote a field `facts` of another form.
   */
  readonly requestFacts?: FactState | undefined
  /** The accounts that were used. */
  readonly accounts?: Readonly<Record<string, AccountState>> | undefined
  /** Earliest time to which the clock moved back; null if it did not. */
  readonly earliestMs?: number | null | undefined
  readonly faults?: readonly Fault[] | undefined
  /** The state of the same faults, if only that has changed. */
  readonly faultUses?: readonly FaultUses[] | undefined
}

/** The step that a stored world is in. Receives what the world does. */
export interface CurrentStep {
  readonly changes: Change[]
  readonly entries: RecordedEntry[]
  /** What reports need of each entry. */
  readonly facts: RequestFact[]
  /** What happens once the current step is stored. */
  readonly effects: (() => void)[]
  /** Called when the world starts anew. */
  start(): void
}

import type { Change } from '../operations/change.js'
import type { ClockState } from './clock.js'
import type { Fault } from './faults/faults.js'
import type { JournalEntry } from './journal/journal.js'
import type { AccountsState } from './quota/account.js'

/** The part of the state of a world that each request may change. */
export interface Progress extends AccountsState {
  readonly clock: ClockState
  /** Number of values drawn from the seed. */
  readonly draws: number
  /** Id of the latest journal entry. */
  readonly lastId: number
  /** Undefined if the faults are those of the previous step. */
  readonly faults?: readonly Fault[] | undefined
}

/** Receives what a stored world does. */
export interface Recorder {
  readonly changes: Change[]
  readonly entries: JournalEntry[]
  /** What happens once the current step is stored. */
  readonly effects: (() => void)[]
  /** Called when the world starts anew. */
  start(): void
}

import type { Series } from './observer.js'

/** What a trial has measured. Times are in milliseconds. */
export interface Measurement {
  readonly name: string
  readonly attempts: number
  readonly seconds: number
  readonly blockMs: number
  readonly blockWallMs: number
  readonly maxResidentMiB: number
  /** Memory that is retained after the trial in addition; undefined if the server does not answer. */
  readonly retainedMiB: number | undefined
  readonly unrelated: Series
  readonly health: Series
  readonly exits: number
  /** How the process ended; empty if it did not. */
  readonly exitReason: string
  readonly violations: { readonly count: number; readonly first: readonly string[] }
  readonly notes: readonly string[]
  readonly limits: {
    readonly attempts: number
    readonly healthMs: number
    readonly retainsMiB: number
  }
}

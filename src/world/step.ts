import type { Change } from '../service/operations/operation.js'
import type { Fault } from './faults/schema.js'
import type { RecordedEntry } from './journal/entry.js'
import type { RequestFact } from './journal/facts.js'
import type { CurrentStep, Progress } from './progress.js'
import type { AccountState } from './quota/settings.js'
import { Random } from './random.js'
import type { WorldState } from './world.js'

/** What one step did to a world: enough to repeat it in a copy of the world. */
export interface WorldStep {
  /** Whether the world started anew. The changes were made afterwards. */
  readonly isStart: boolean
  readonly changes: readonly Change[]
  readonly progress: Progress
  readonly entries: readonly RecordedEntry[]
  /** What reports need of each entry. */
  readonly facts: readonly RequestFact[]
}

/** Collects what a world does from now on, until another builder replaces it. */
export class StepBuilder implements CurrentStep {
  readonly changes: Change[] = []
  readonly entries: RecordedEntry[] = []
  readonly facts: RequestFact[] = []
  /** What happens once the step is stored. */
  readonly effects: (() => void)[] = []
  readonly #offsetMs: number
  readonly #frozenAtMs: number | undefined
  readonly #draws: number
  readonly #lastId: number
  readonly #clearedId: number
  readonly #earliestMs: number
  readonly #faults: readonly Fault[]
  readonly #faultsRevision: number
  readonly #usesRevision: number
  readonly #messageCount: number
  /** The accounts that were used, with their states before; undefined for a new one. */
  readonly #accounts = new Map<string, AccountState | undefined>()
  #isStart = false

  /** @param canUndo Whether to remember what `undo` needs. */
  constructor(
    readonly world: WorldState,
    canUndo: boolean,
  ) {
    const { clock, random, journal, faults, quota, db } = world
    this.#offsetMs = clock.offsetMs
    this.#frozenAtMs = clock.frozenAtMs
    this.#draws = random.draws
    this.#lastId = journal.lastId
    this.#clearedId = journal.clearedId
    this.#earliestMs = quota.earliestMs
    this.#faults = canUndo && faults.size > 0 ? faults.list() : []
    this.#faultsRevision = faults.revision
    this.#usesRevision = faults.usesRevision
    this.#messageCount = canUndo ? db.messages.count : 0
    quota.onUse = (id, account) => {
      if (!this.#accounts.has(id)) this.#accounts.set(id, account?.save())
    }
  }

  /** Whether the world has changed since, or effects wait. */
  hasChanges(): boolean {
    const { random, journal, quota } = this.world
    return (
      this.#isStart ||
      this.changes.length > 0 ||
      this.effects.length > 0 ||
      journal.lastId !== this.#lastId ||
      journal.clearedId !== this.#clearedId ||
      random.draws !== this.#draws ||
      this.#accounts.size > 0 ||
      quota.earliestMs !== this.#earliestMs ||
      this.#areFaultsChanged() ||
      this.#areUsesChanged() ||
      this.#isClockChanged()
    )
  }

  #areFaultsChanged(): boolean {
    return this.world.faults.revision !== this.#faultsRevision
  }

  #areUsesChanged(): boolean {
    return this.world.faults.usesRevision !== this.#usesRevision
  }

  #isClockChanged(): boolean {
    const { clock } = this.world
    return clock.offsetMs !== this.#offsetMs || clock.frozenAtMs !== this.#frozenAtMs
  }

  /** Called when the world starts anew. */
  start(): void {
    this.#isStart = true
    this.#accounts.clear()
    this.changes.length = 0
    // The journal does not have them either.
    this.entries.length = 0
    this.facts.length = 0
  }

  /** Returns what the world did; undefined if it changed nothing. */
  toStep(): WorldStep | undefined {
    if (!this.hasChanges()) return undefined
    const { world, changes, entries, facts } = this
    const { clock, random, journal, quota, faults } = world
    const progress: Progress = {
      atMs: clock.now(),
      clock: this.#isClockChanged() ? toClockState(world) : undefined,
      draws: random.draws === this.#draws ? undefined : random.draws,
      lastId: journal.lastId === this.#lastId ? undefined : journal.lastId,
      clearedId: journal.clearedId === this.#clearedId ? undefined : journal.clearedId,
      accounts: this.#accounts.size > 0 ? quota.save(this.#accounts.keys()) : undefined,
      earliestMs: quota.earliestMs === this.#earliestMs ? undefined : quota.earliestMs,
      faults: this.#areFaultsChanged() ? faults.list() : undefined,
      faultUses:
        this.#areUsesChanged() && !this.#areFaultsChanged() ? faults.saveUses() : undefined,
    }
    return { isStart: this.#isStart, changes, progress, entries, facts }
  }

  /**
   * Restores the state before the step. The effects do not happen.
   *
   * @returns Whether that was possible. If not, the world is in an undefined state.
   */
  undo(): boolean {
    const { world, changes } = this
    const isCleared = world.journal.clearedId !== this.#clearedId
    if (this.#isStart || isCleared || this.#hasEvictedMessages()) return false
    if (!changes.toReversed().every((change) => world.db.undo(change))) return false
    world.measure()
    world.quota.restore(Object.fromEntries(this.#accounts))
    restoreProgress(world, {
      atMs: Number.NEGATIVE_INFINITY,
      clock: this.#isClockChanged()
        ? { offsetMs: this.#offsetMs, frozenAtMs: this.#frozenAtMs }
        : undefined,
      draws: this.#draws,
      lastId: this.#lastId,
      earliestMs: this.#earliestMs,
      faults: this.#areFaultsChanged() || this.#areUsesChanged() ? this.#faults : undefined,
    })
    return true
  }

  #hasEvictedMessages(): boolean {
    const queued = this.changes.filter(({ type }) => type === 'message.queued').length
    return this.world.db.messages.count < this.#messageCount + queued
  }
}

/**
 * Returns the complete state that each request may change.
 *
 * @param maximumFacts Maximum number of requests for reports.
 */
export function saveWholeProgress(world: WorldState, maximumFacts?: number): Progress {
  const { clock, random, journal, quota, faults } = world
  return {
    atMs: clock.now(),
    clock: toClockState(world),
    draws: random.draws,
    lastId: journal.lastId,
    clearedId: journal.clearedId,
    changeCounts: world.db.changeCounts,
    requestFacts: journal.facts.save(maximumFacts),
    accounts: quota.save(),
    // JSON represents Infinity as null.
    earliestMs: quota.earliestMs,
    faults: faults.list(),
  }
}

/** Continues from the state of another copy of a world. */
export function restoreProgress(world: WorldState, progress: Progress): void {
  const { atMs, clock, draws, lastId, clearedId, accounts, earliestMs } = progress
  const { changeCounts, requestFacts, faults, faultUses } = progress
  if (clock) world.clock.restore(clock)
  if (Number.isFinite(atMs)) world.clock.notBefore(atMs)
  if (draws !== undefined) world.random = new Random(world.seed.seed, draws)
  if (lastId !== undefined) world.journal.lastId = lastId
  if (clearedId !== undefined) world.journal.clear(clearedId)
  if (changeCounts) world.db.changeCounts = changeCounts
  if (requestFacts) world.journal.facts.restore(requestFacts)
  if (earliestMs !== undefined) world.quota.earliestMs = earliestMs ?? Infinity
  if (faults) world.faults.load(faults)
  if (faultUses) world.faults.restoreUses(faultUses)
  if (accounts) world.quota.restore(accounts)
  if (lastId !== undefined) world.onChange('requests')
  else if (accounts) world.onChange('quota')
  if (clock) world.onChange('clock')
  if (faults) world.onChange('faults')
}

/** Repeats a step of another copy of a world, which is not a start. */
export function repeatStep(
  world: WorldState,
  changes: readonly Change[],
  progress: Progress,
): void {
  for (const change of changes) world.db.apply(change)
  world.measure()
  restoreProgress(world, progress)
  if (changes.length > 0) world.onChange('data')
}

function toClockState({ clock: { offsetMs, frozenAtMs } }: WorldState) {
  return { offsetMs, frozenAtMs }
}

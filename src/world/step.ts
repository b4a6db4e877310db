import type { Change } from '../operations/change.js'
import type { JournalEntry } from './journal/journal.js'
import type { Progress, Recorder } from './progress.js'
import type { WorldState } from './world.js'

/** What one step did to a world: enough to repeat it in a copy of the world. */
export interface WorldStep {
  /** Whether the world started anew. The changes were made afterwards. */
  readonly isStart: boolean
  readonly changes: readonly Change[]
  readonly progress: Progress
  readonly entries: readonly JournalEntry[]
}

/** Records what a world does from now on, until another recorder replaces it. */
export class StepRecorder implements Recorder {
  readonly changes: Change[] = []
  readonly entries: JournalEntry[] = []
  /** What happens once the step is stored. */
  readonly effects: (() => void)[] = []
  readonly #before: Progress
  readonly #faultsRevision: number
  readonly #messageCount: number
  #isStart = false

  constructor(readonly world: WorldState) {
    const { faults, quota } = world
    quota.track()
    this.#faultsRevision = faults.revision
    this.#messageCount = world.db.messageCount
    this.#before = {
      ...saveProgress(world),
      ...quota.save('used'),
      faults: faults.size > 0 ? faults.list() : [],
    }
  }

  /** Whether the world has changed since, or effects wait. */
  hasChanges(): boolean {
    const { world, changes, effects } = this
    const { clock, draws, lastId, earliestMs } = this.#before
    const { offsetMs, frozenAtMs } = world.clock.save()
    return (
      this.#isStart ||
      changes.length > 0 ||
      effects.length > 0 ||
      world.quota.hasChanges(earliestMs) ||
      world.faults.revision !== this.#faultsRevision ||
      world.random.draws !== draws ||
      world.journal.lastId !== lastId ||
      offsetMs !== clock.offsetMs ||
      frozenAtMs !== clock.frozenAtMs
    )
  }

  /** Called when the world starts anew. */
  start(): void {
    this.#isStart = true
    this.changes.length = 0
    // The journal does not have them either.
    this.entries.length = 0
  }

  /** Returns what the world did; undefined if it changed nothing. */
  toStep(): WorldStep | undefined {
    if (!this.hasChanges()) return undefined
    const { world, changes, entries } = this
    const isStart = this.#isStart
    const areFaultsSame = !isStart && world.faults.revision === this.#faultsRevision
    const progress: Progress = {
      ...saveProgress(world),
      ...world.quota.save(isStart ? 'all' : 'used'),
      faults: areFaultsSame ? undefined : world.faults.list(),
    }
    return { isStart, changes, progress, entries }
  }

  /**
   * Restores the state before the step. The effects do not happen.
   *
   * @returns Whether that was possible. If not, the world is in an undefined state.
   */
  undo(): boolean {
    const { world, changes } = this
    const { faults, ...before } = this.#before
    if (this.#isStart || this.#hasEvictedMessages() || !world.undo(changes)) return false
    const areFaultsSame = world.faults.revision === this.#faultsRevision
    world.quota.undo()
    world.restoreProgress({ ...before, faults: areFaultsSame ? undefined : faults })
    return true
  }

  #hasEvictedMessages(): boolean {
    const queued = this.changes.filter(({ type }) => type === 'message.queued').length
    return this.world.db.messageCount < this.#messageCount + queued
  }
}

/** Returns the complete state that each request may change. */
export function saveWholeProgress(world: WorldState): Progress {
  return { ...saveProgress(world), ...world.quota.save('all'), faults: world.faults.list() }
}

function saveProgress({ clock, random, journal }: WorldState) {
  return { clock: clock.save(), draws: random.draws, lastId: journal.lastId }
}

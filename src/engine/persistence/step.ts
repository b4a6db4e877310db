import type { Change } from '../../service/operations/operation.js'
import type { FaultUses } from '../../world/faults/faults.js'
import type { Fault } from '../../world/faults/schema.js'
import type { AccountSettings } from '../../world/quota/settings.js'
import { Random } from '../../world/random.js'
import type { CurrentStep, WorldState } from '../../world/world.js'

/**
 * The state of a world that each request may change, except its data and journal, as JSON. An undefined
 * field is unchanged. Times are in milliseconds since the epoch.
 */
export interface SmallState {
  /** Time of the world. */
  readonly atMs: number
  /** Real time, on the clock of the process that stored the state. */
  readonly realAtMs: number
  /** Present if the clock was set, stopped or started. */
  readonly clock?: { readonly frozenAtMs?: number | undefined } | undefined
  /** Number of values drawn from the seed. */
  readonly draws: number
  /** Id of the latest journal entry. */
  readonly lastId: number
  /** Id up to which the entries of the journal were removed. */
  readonly clearedId: number
  /** Earliest time to which the clock was moved back; Infinity (null in JSON) if it was not. */
  readonly earliestMs: number | null
  /** The accounts that were used. */
  readonly accounts?: Readonly<Record<string, AccountSettings>> | undefined
  /** The faults as they were loaded. */
  readonly faults?: readonly Fault[] | undefined
  /** The uses of the faults. */
  readonly faultUses?: readonly FaultUses[] | undefined
}

/** Records the changes of a stored world, until the next step begins. */
export class Step implements CurrentStep {
  readonly changes: Change[] = []
  readonly entries: CurrentStep['entries'] = []
  readonly effects: (() => void)[] = []
  isDeferring = false
  /** Whether the world started anew. */
  isStart = false
  /** Whether the step does not continue stored steps, so that its base is necessary. */
  isWhole = false
  readonly #before: Marks
  /** The accounts that were used, with their states before; undefined for a new one. */
  readonly #accounts = new Map<string, AccountSettings | undefined>()

  constructor(readonly world: WorldState) {
    this.#before = toMarks(world)
    world.quota.onUse = (id, account) => {
      if (!this.#accounts.has(id)) this.#accounts.set(id, account?.save())
    }
  }

  /** Whether the world has changed since, or actions wait. */
  hasChanges(): boolean {
    const { changes, effects } = this
    return changes.length + effects.length + this.#accounts.size > 0 || this.#findChanged().size > 0
  }

  #findChanged(): ReadonlySet<keyof Marks> {
    const marks = toMarks(this.world)
    const names = Object.keys(marks) as (keyof Marks)[] // of an object literal
    return new Set(names.filter((name) => marks[name] !== this.#before[name]))
  }

  /** Called when the world starts anew. */
  start(): void {
    this.isStart = true
    this.isWhole = true
    this.#accounts.clear()
    this.changes.length = 0
    // The journal does not have them either.
    this.entries.length = 0
  }

  /**
   * Returns the small state after the step.
   *
   * @param isComplete Whether to include unchanged parts.
   */
  toState(isComplete: boolean): SmallState {
    const { clock, faults, quota } = this.world
    const { draws, lastId, clearedId, earliestMs } = toMarks(this.world)
    const changed = this.#findChanged()
    const isMoved = isComplete || changed.has('offsetMs') || changed.has('frozenAtMs')
    const areReplaced = isComplete || changed.has('faults')
    const used = isComplete ? undefined : [...this.#accounts.keys()]
    return {
      atMs: clock.now(),
      realAtMs: clock.realNow(),
      clock: isMoved ? { frozenAtMs: clock.frozenAtMs } : undefined,
      draws,
      lastId,
      clearedId,
      earliestMs,
      accounts: used?.length === 0 ? undefined : quota.save(used),
      faults: areReplaced ? faults.entries().map(({ fault }) => fault) : undefined,
      faultUses: areReplaced || changed.has('uses') ? faults.saveUses() : undefined,
    }
  }

  /** Applies the deferred changes, and runs the waiting actions. Called once the step is stored. */
  commit(): void {
    if (this.isDeferring) applyChanges(this.world, this.changes)
    for (const effect of this.effects) effect()
  }

  /** Restores the state before a step whose changes are deferred: one request of the service. */
  restore(): void {
    const { world } = this
    const { draws, lastId, uses } = this.#before
    world.random = new Random(world.seed.seed, draws)
    world.journal.lastId = lastId
    world.quota.restore(Object.fromEntries(this.#accounts))
    world.faults.restore(uses)
  }
}

/** Values that differ after each change of a world, except of its data and accounts. */
function toMarks({ generation, clock, random, journal, quota, faults }: WorldState) {
  return {
    generation,
    offsetMs: clock.offsetMs,
    frozenAtMs: clock.frozenAtMs,
    draws: random.draws,
    lastId: journal.lastId,
    clearedId: journal.clearedId,
    earliestMs: quota.earliestMs,
    faults: faults.revision,
    uses: faults.entries(),
  }
}

type Marks = ReturnType<typeof toMarks>

/** Applies changes to the data that another copy of the world, or a step of this copy, has checked. */
export function applyChanges(world: WorldState, changes: readonly Change[]): void {
  if (changes.length === 0) return
  for (const change of changes) world.db.apply(change)
  world.measure()
  world.onChange('data')
}

/** Continues from the state of another copy of the world. */
export function restoreState(world: WorldState, state: SmallState): void {
  const { atMs, clock, draws, lastId, clearedId, earliestMs } = state
  const { accounts, faults, faultUses } = state
  const { journal, quota } = world
  if (clock) world.clock.continueFrom(atMs, clock.frozenAtMs)
  else world.clock.notBefore(atMs)
  const isReceived = lastId !== journal.lastId
  world.random = new Random(world.seed.seed, draws)
  journal.lastId = lastId
  if (clearedId !== journal.clearedId) journal.clear(clearedId)
  quota.earliestMs = earliestMs ?? Infinity
  if (faults) world.faults.load(faults)
  if (faultUses) world.faults.restoreUses(faultUses)
  if (accounts) quota.restore(accounts)
  if (isReceived) world.onChange('requests')
  else if (accounts) world.onChange('quota')
  if (clock) world.onChange('clock')
  if (faults) world.onChange('faults')
}

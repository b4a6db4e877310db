import type { World } from '../../control/world.js'
import { Problem } from '../../service/errors.js'
import { startImmediate } from '../../service/timers.js'
import {
  type AppendedRecord,
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from '../../store/store.js'
import type { WorldSeed } from '../../world/seed.js'
import { StepBuilder, type WorldStep } from '../../world/step.js'
import { type EntryChain, recordsPerFullEntry } from './entry-chain.js'
import { chain, createQueuedStep, type Pending, type QueuedStep, runAll } from './queued-step.js'
import type { SeedReference, StoredSeeds } from './stored-seeds.js'
import { type Restored, WorldCopy } from './world-copy.js'
import { toBase } from './world-record.js'

/** Parts of a sandbox that its replicas use. */
export interface ReplicaParts {
  readonly store: Store
  readonly seeds: StoredSeeds
  /** Number of records that are retained for the journal. */
  readonly journalCapacity: number
  /** Whether further worlds are likely to start from a seed. */
  readonly isShared: (seed: WorldSeed) => boolean
  /** Returns a random string. */
  readonly createLineage: () => string
  /** Called with each error that is not a failure to reach the store. */
  readonly reportError: (error: unknown) => void
  /** Called when another process has changed a world, so that a step is executed again. */
  readonly onConflict: () => void
}

/** Minimum number of records that a snapshot replaces. */
const recordsPerSnapshot = 100

/** Maximum number of steps that are stored in one record. */
const stepsPerRecord = 64

/**
 * Number of records of other processes after which a replica stops following a world, unless it has
 * executed a step or the journal has listeners.
 */
const followedRecords = 64

/** Maximum number of records that wait to be repeated. */
const maximumArrived = 64

/** Seconds after which a client may repeat a request that could not be stored. */
const retryAfterSeconds = 2

/** An executed step, which may not be stored yet. */
interface Issued {
  readonly builder: StepBuilder
  /** The version before the step. */
  readonly expected: Version
  /** The entries before the step. */
  readonly entries: EntryChain
  readonly outcome: Promise<SinceResult>
  /** The snapshot after the step, if it is time for one. */
  readonly snapshot: { readonly version: Version; readonly text: string } | undefined
}

/**
 * Connects a world in memory with its stored form. Executes steps one after the other on the copy in
 * memory, and stores what each did. If another process has changed the world in the meantime, the
 * step is undone, and executed again on the current state.
 */
export class Replica {
  #version: Version
  /** Whether the copy in memory may differ from the stored world. */
  #isStale = true
  /** Whether the next record contains the whole state, because earlier records are damaged. */
  #needsBase = false
  /** The steps that have not been executed yet. */
  #waiting: QueuedStep[] = []
  /** Whether the waiting steps have to wait. */
  #isBusy = false
  /** Resolves when the steps so far are stored, or could not be stored. */
  #stored: Promise<void> = Promise.resolve()
  /** The refresh that is in progress, and whether the stored world has changed since its start. */
  #refreshing: { isOutdated: boolean } | undefined
  readonly #copy: WorldCopy
  #recordsSinceSnapshot = 0
  #bytesSinceSnapshot = 0
  #snapshotBytes = 0
  #unfollow: (() => void) | undefined
  /** Whether the journal has listeners. */
  #hasListeners = false
  /**
   * Whether other processes change the world between the steps of this one. It then follows the
   * records, because repeating them as they arrive costs less than undoing a step.
   */
  #isShared = false
  /** Records that have arrived, in their order. */
  #arrived: AppendedRecord[] = []
  /** Number of records that were repeated since the latest step. */
  #idleRecords = 0
  #builder: StepBuilder

  /**
   * @param world A world at its start. `open` replaces its state if it is stored.
   * @param prepare Returns the seed from which the world starts if it is not stored.
   */
  constructor(
    readonly id: string,
    readonly world: World,
    readonly prepare: () => Pending<WorldSeed>,
    readonly parts: ReplicaParts,
  ) {
    this.#version = { lineage: parts.createLineage(), number: 0 }
    this.#copy = new WorldCopy(world, parts.seeds)
    this.#builder = new StepBuilder(world, false)
    world.journal.onListeners = (count) => {
      this.#hasListeners = count > 0
      this.#follow()
    }
  }

  /**
   * Loads the stored state.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  open(): Promise<void> {
    return accessStore(this.parts.store, () => this.#reload())
  }

  /**
   * Executes a step, which reads or changes the world, and stores what it did. Steps that wait for
   * the store are then executed together.
   *
   * @param step Executed again if another process has changed the world in the meantime.
   * @param isAlone Whether the step needs the effects of those before it, such as journal entries.
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  execute<Result>(step: () => Pending<Result>, isAlone = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(createQueuedStep(step, isAlone, resolve, reject))
      if (!this.#isBusy) this.#next()
    })
  }

  /** Loads the stored state again, which another process may have changed. */
  reload(): Promise<void> {
    this.#isStale = true
    return this.execute(() => {})
  }

  /** Stops following the stored world. */
  close(): void {
    this.world.journal.onListeners = () => {}
    this.#hasListeners = false
    this.#isShared = false
    this.#follow()
  }

  /** Repeats the records that have arrived, and executes the steps that wait. */
  #next(): void {
    while (this.#waiting.length > 0 || this.#arrived.length > 0) {
      this.#isBusy = true
      const executing =
        this.#waiting.length > 0
          ? this.#executeAll(this.#waiting.splice(0, this.#countNext()))
          : this.#repeatArrived()
      if (executing instanceof Promise) {
        void executing.then(() => {
          this.#isBusy = false
          this.#next()
        })
        return
      }
      this.#isBusy = false
    }
  }

  /** Returns how many of the steps that wait are executed together. */
  #countNext(): number {
    const { length } = this.#waiting
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone)
    return Math.min(alone < 0 ? length : Math.max(alone, 1), stepsPerRecord)
  }

  /**
   * Executes steps and stores what they did in one record. Returns a promise if the next steps have
   * to wait: until these are executed, and stored if other processes may change the world.
   */
  #executeAll(steps: readonly QueuedStep[]): Pending<void> {
    const fail = (error: unknown) => {
      // The steps may have been executed, but are not stored.
      this.#isStale = true
      const problem = toProblem(this.parts.store, error)
      for (const { reject } of steps) reject(problem)
    }
    const store = (settlers: readonly (() => void)[], issued: Issued) => {
      const finish = (isStored: boolean) => {
        if (isStored) for (const settle of settlers) settle()
        else this.#repeatLater(steps)
      }
      this.#stored = this.#conclude(issued).then(finish, fail)
      return this.parts.store.isExclusive ? undefined : this.#stored
    }
    try {
      const executed = chain(this.#prepare(steps), () =>
        chain(runAll(steps), (settlers) =>
          chain(this.#issue(), (issued) => store(settlers, issued)),
        ),
      )
      return executed?.catch(fail)
    } catch (error) {
      fail(error)
      return undefined
    }
  }

  #repeatLater(steps: readonly QueuedStep[]): void {
    this.#waiting.unshift(...steps)
    if (!this.#isBusy) this.#next()
  }

  #prepare([first]: readonly QueuedStep[]): Pending<void> {
    const { isExclusive } = this.parts.store
    // The effects of the steps before have not happened yet.
    if (isExclusive && first?.isAlone) return this.#stored.then(() => this.#synchronize())
    return this.#synchronize()
  }

  /** Loads the stored state if necessary, and stores what was changed outside a step. */
  #synchronize(): Pending<void> {
    const isChanged = this.#builder.hasChanges() && !this.#isAtStart()
    if (this.#isStale || isChanged) return this.#update()
    return this.#isShared ? this.#receive() : undefined
  }

  /** Repeats the records that have been sent to this process, as far as they can have arrived. */
  async #receive(): Promise<void> {
    await new Promise<void>((resolve) => startImmediate(resolve))
    await this.#repeatArrived()
  }

  async #update(): Promise<void> {
    if (this.#isStale) {
      await this.#stored
      await this.#reload()
    }
    if (!this.#builder.hasChanges() || this.#isAtStart()) return
    const isStored = await this.#conclude(await this.#issue())
    if (isStored) return
    const error = `changes of the world ${this.id} without a request are lost: it changed elsewhere`
    this.parts.reportError(new Error(error))
    await this.#update()
  }

  /** Whether the world is not stored yet and has only started. The next step stores its start. */
  #isAtStart(): boolean {
    return this.#version.number === 0 && this.#builder.changes.length === 0
  }

  /** Sends what the world did to the store. */
  #issue(): Pending<Issued> {
    const { isExclusive } = this.parts.store
    const step = this.#builder.toStep()
    if (!step) return this.#issueText(undefined)
    const isOrdinary = !step.isStart && !this.#needsBase
    const { entries } = this.#copy
    if (!isExclusive) this.#copy.entries = entries.copy()
    if (isOrdinary && !this.#isSnapshotDue()) {
      return this.#issueText(this.#copy.toStepText(step), undefined, entries)
    }
    return this.#issueWhole(step, isOrdinary, entries)
  }

  /** Sends a record with the whole state, or takes a snapshot after the record. */
  async #issueWhole(step: WorldStep, isOrdinary: boolean, entries: EntryChain): Promise<Issued> {
    const base = toBase(this.world, await this.#saveSeed(), this.parts.store.maximumFacts)
    if (!isOrdinary) return this.#issueText(this.#copy.toWholeText(base, step), undefined, entries)
    const snapshot = JSON.stringify(base)
    const issued = this.#issueText(this.#copy.toStepText(step), snapshot, entries)
    this.#recordsSinceSnapshot = 0
    this.#bytesSinceSnapshot = 0
    this.#snapshotBytes = snapshot.length
    return issued
  }

  /**
   * @param text The record. Undefined if the world has not changed.
   * @param snapshot The state after the record.
   * @param entries The entries before the record.
   */
  #issueText(text: string | undefined, snapshot?: string, entries = this.#copy.entries): Issued {
    const { id } = this
    const { store } = this.parts
    const builder = this.#builder
    const expected = this.#version
    // The steps of other processes cannot come in between, so that nothing has to be undone.
    if (store.isExclusive) this.#record()
    if (text === undefined) {
      const outcome = store.isExclusive ? current : store.readSince(id, expected)
      return { builder, expected, entries, outcome, snapshot: undefined }
    }
    const version = { lineage: expected.lineage, number: expected.number + 1 }
    this.#version = version
    this.#idleRecords = 0
    this.#recordsSinceSnapshot += 1
    this.#bytesSinceSnapshot += text.length
    return {
      builder,
      expected,
      entries,
      outcome: store.append(id, expected, text),
      snapshot: snapshot === undefined ? undefined : { version, text: snapshot },
    }
  }

  /** Whether the records since the last snapshot are many, and not smaller than it. */
  #isSnapshotDue(): boolean {
    const areMany = this.#recordsSinceSnapshot >= recordsPerSnapshot
    return areMany && this.#bytesSinceSnapshot >= this.#snapshotBytes
  }

  #saveSeed(): Promise<SeedReference> {
    const { seeds, isShared } = this.parts
    return seeds.save(this.world.seed, isShared(this.world.seed))
  }

  /**
   * Waits until a step is stored, and lets its effects happen. If another process has changed the
   * world, undoes the step and repeats the changes of the other process.
   *
   * @returns Whether the step is stored.
   */
  async #conclude(issued: Issued): Promise<boolean> {
    const { builder, snapshot } = issued
    try {
      const result = await issued.outcome
      if (result.type !== 'current') {
        await this.#undo(issued, result)
        return false
      }
    } catch (error) {
      this.#isStale = true
      this.parts.seeds.forget()
      throw error
    }
    this.#needsBase = false
    if (!this.parts.store.isExclusive) this.#record()
    for (const effect of builder.effects) effect()
    if (snapshot) this.#compact(snapshot.version, snapshot.text)
    return true
  }

  #compact(version: Version, text: string): void {
    const { store, journalCapacity, reportError } = this.parts
    store.compact(this.id, version, text, journalCapacity + recordsPerFullEntry).catch((error) => {
      // A later snapshot replaces more records.
      if (!(error instanceof StoreError)) reportError(error)
    })
  }

  async #undo({ builder, expected, entries }: Issued, result: SinceResult): Promise<void> {
    this.parts.onConflict()
    this.#isStale = true
    this.#copy.entries = entries
    if (this.parts.store.isExclusive) return
    this.#isShared = true
    this.#follow()
    if (result.type !== 'behind') return
    // The records may be based on the damaged ones.
    if (this.#needsBase || !builder.undo()) return
    this.#version = expected
    this.#isStale = !(await this.#repeat(result.records))
  }

  /** Repeats the steps of other processes. Returns whether that was possible. */
  async #repeat(records: readonly string[]): Promise<boolean> {
    if (!(await this.#copy.repeat(records))) return false
    this.#record()
    const { lineage, number } = this.#version
    this.#version = { lineage, number: number + records.length }
    this.#recordsSinceSnapshot += records.length
    return true
  }

  /** Replaces the state in memory by the stored one. If there is none, starts the world anew. */
  async #reload(): Promise<void> {
    const stored = await this.parts.store.load(this.id)
    this.#needsBase = false
    if (stored) await this.#restore(stored)
    else {
      // The store may have lost the seeds, too.
      if (this.#version.number > 0) this.parts.seeds.forget()
      await this.#startAnew({ lineage: this.parts.createLineage(), number: 0 })
    }
    this.#isStale = false
  }

  /** @param version The version before the start. Above 0 if the stored state is damaged. */
  async #startAnew(version: Version): Promise<void> {
    const seed = await this.prepare()
    if (version.number > 0) {
      const notice = 'the stored state of this world could not be read; it has started anew'
      this.world.notices = [notice]
    }
    this.#version = version
    this.#recordsSinceSnapshot = 0
    this.#record()
    this.world.start(seed)
  }

  async #restore(stored: StoredWorld): Promise<void> {
    const restored = await this.#tryRestore(stored)
    if (!restored) {
      await this.#startAnew(stored.version)
      return
    }
    this.#version = stored.version
    this.#recordsSinceSnapshot = restored.recordsSinceSnapshot
    this.#needsBase = restored.isDamaged
    if (restored.isDamaged || stored.isTruncated) this.#reportDamage()
    this.#record()
  }

  /** Returns undefined if the stored state cannot be read. */
  async #tryRestore(stored: StoredWorld): Promise<Restored | undefined> {
    try {
      const restored = await this.#copy.restore(stored)
      if (restored) return restored
      this.parts.reportError(new Error(`${this.id}: the stored state could not be read`))
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.parts.reportError(error)
    }
    return undefined
  }

  #reportDamage(): void {
    const notice =
      'the latest stored requests of this world could not be read; it continues from the one before'
    this.world.notices = [notice]
    this.parts.reportError(new Error(`${this.id}: ${notice}`))
  }

  /** Starts to record the next step. */
  #record(): void {
    this.#builder = new StepBuilder(this.world, !this.parts.store.isExclusive)
    this.world.currentStep = this.#builder
  }

  /** Starts or stops following the records of other processes. */
  #follow(): void {
    const { store } = this.parts
    if ((this.#hasListeners || this.#isShared) && !store.isExclusive) {
      this.#unfollow ??= store.follow(this.id, (appended) => this.#add(appended))
      return
    }
    this.#unfollow?.()
    this.#unfollow = undefined
  }

  #add(appended: AppendedRecord | undefined): void {
    if (!appended || this.#arrived.length >= maximumArrived) {
      this.#miss()
      return
    }
    this.#arrived.push(appended)
    if (!this.#isBusy) this.#next()
  }

  /** Repeats the records that have arrived, unless this process has or had them already. */
  async #repeatArrived(): Promise<void> {
    const arrived = this.#arrived
    this.#arrived = []
    for (const { version, record } of arrived) {
      const { lineage, number } = this.#version
      const isKnown = version.lineage === lineage && version.number <= number
      if (isKnown) continue
      const isNext = version.lineage === lineage && version.number === number + 1
      if (!isNext || this.#isStale || this.#builder.hasChanges()) {
        this.#miss()
        return
      }
      await this.#repeatOne(record)
    }
    if (this.#idleRecords < followedRecords) return
    this.#isShared = false
    this.#follow()
  }

  async #repeatOne(record: string): Promise<void> {
    this.#idleRecords += 1
    try {
      this.#isStale = !(await this.#repeat([record]))
    } catch (error) {
      this.#isStale = true
      if (!(error instanceof StoreError)) this.parts.reportError(error)
    }
  }

  /** Called when a record is missing. The next step finds that out, too. */
  #miss(): void {
    if (this.#hasListeners) this.#refresh()
  }

  #refresh(): void {
    if (this.#refreshing) {
      this.#refreshing.isOutdated = true
      return
    }
    const refreshing = { isOutdated: false }
    this.#refreshing = refreshing
    const end = () => {
      this.#refreshing = undefined
      if (refreshing.isOutdated) this.#refresh()
    }
    // The next request reports an unreachable store.
    this.execute(() => {}).then(end, end)
  }
}

const current: Promise<SinceResult> = Promise.resolve({ type: 'current' })

/** Converts a failure to reach the store to the problem sandbox_unavailable. */
function toProblem({ kind }: Store, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  const message = `the ${kind} store of this sandbox cannot be reached; retry after ${retryAfterSeconds} seconds`
  return new Problem('sandbox_unavailable', message, retryAfterSeconds)
}

/**
 * Calls the store.
 *
 * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
 */
export async function accessStore<Result>(
  store: Store,
  access: () => Promise<Result>,
): Promise<Result> {
  try {
    return await access()
  } catch (error) {
    throw toProblem(store, error)
  }
}

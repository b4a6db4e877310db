import { Problem } from '../contract/errors.js'
import type { World } from '../control/world.js'
import {
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from '../store/store.js'
import type { JournalEntry } from '../world/journal/journal.js'
import type { WorldSeed } from '../world/seed.js'
import { StepRecorder, type WorldStep } from '../world/step.js'
import { EntryChain, recordsPerFullEntry } from './entry-chain.js'
import type { SeedReference, StoredSeeds } from './stored-seeds.js'
import { readBase, readRecord, toBase, type WorldBase, type WorldRecord } from './world-record.js'

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
}

/** Minimum number of records that a snapshot replaces. */
const recordsPerSnapshot = 100

/** Seconds after which a client may repeat a request that could not be stored. */
const retryAfterSeconds = 2

/** An executed step, which may not be stored yet. */
interface Issued {
  readonly recorder: StepRecorder
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
  /** Resolves when the steps so far have been executed. */
  #executed: Promise<unknown> = Promise.resolve()
  /** Resolves when the steps so far are stored, or could not be stored. */
  #stored: Promise<unknown> = Promise.resolve()
  #isRefreshing = false
  #entries = new EntryChain()
  #recordsSinceSnapshot = 0
  #bytesSinceSnapshot = 0
  #snapshotBytes = 0
  #unfollow: (() => void) | undefined
  #recorder: StepRecorder

  /**
   * @param world A world at its start. `open` replaces its state if it is stored.
   * @param prepare Returns the seed from which the world starts if it is not stored.
   */
  constructor(
    readonly id: string,
    readonly world: World,
    readonly prepare: () => WorldSeed | Promise<WorldSeed>,
    readonly parts: ReplicaParts,
  ) {
    this.#version = { lineage: parts.createLineage(), number: 0 }
    this.#recorder = new StepRecorder(world)
    world.journal.onListeners = (count) => this.#follow(count > 0)
  }

  /**
   * Loads the stored state.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  open(): Promise<void> {
    return convertStoreError(this.parts.store, () => this.#reload())
  }

  /**
   * Executes a step, which reads or changes the world, and stores what it did.
   *
   * @param step Executed again if another process has changed the world in the meantime.
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  execute<Result>(step: () => Result | Promise<Result>): Promise<Result> {
    return convertStoreError(this.parts.store, async () => {
      for (;;) {
        const attempt = this.#executed.then(() => this.#attempt(step))
        this.#executed = attempt.catch(() => {})
        const { outcome, isStored } = await attempt
        if (await isStored) return outcome()
      }
    })
  }

  /** Loads the stored state again, which another process may have changed. */
  reload(): Promise<void> {
    this.#isStale = true
    return this.execute(() => {})
  }

  /** Stops following the stored world. */
  close(): void {
    this.#follow(false)
    this.world.journal.onListeners = () => {}
  }

  /** Executes a step. If other processes may change the world, also waits until it is stored. */
  async #attempt<Result>(step: () => Result | Promise<Result>) {
    await this.#synchronize()
    const outcome = await settle(step)
    const isStored = this.#conclude(await this.#issue())
    this.#stored = isStored.catch(() => {})
    if (!this.parts.store.isExclusive) await isStored
    return { outcome, isStored }
  }

  /** Loads the stored state if necessary, and stores what was changed outside a step. */
  async #synchronize(): Promise<void> {
    if (this.#isStale) {
      await this.#stored
      await this.#reload()
    }
    if (!this.#recorder.hasChanges() || this.#isAtStart()) return
    const isStored = await this.#conclude(await this.#issue())
    if (isStored) return
    const { id } = this
    this.parts.reportError(new Error(`changes of the world ${id} are lost: it changed elsewhere`))
    await this.#synchronize()
  }

  /** Whether the world is not stored yet and has only started. The next step stores its start. */
  #isAtStart(): boolean {
    return this.#version.number === 0 && this.#recorder.changes.length === 0
  }

  /** Sends what the world did to the store. */
  async #issue(): Promise<Issued> {
    const { id } = this
    const { store } = this.parts
    const recorder = this.#recorder
    const expected = this.#version
    const entries = this.#entries
    if (!store.isExclusive) this.#entries = entries.copy()
    const step = recorder.toStep()
    const text = step && (await this.#toText(step))
    // The steps of other processes cannot come in between, so that nothing has to be undone.
    if (store.isExclusive) this.#record()
    if (text === undefined) {
      const outcome = store.isExclusive ? current : store.readSince(id, expected)
      return { recorder, expected, entries, outcome, snapshot: undefined }
    }
    this.#version = { lineage: expected.lineage, number: expected.number + 1 }
    this.#recordsSinceSnapshot += 1
    this.#bytesSinceSnapshot += text.length
    const snapshot = await this.#takeSnapshot()
    const outcome = store.append(id, expected, text)
    return { recorder, expected, entries, outcome, snapshot }
  }

  async #toText({ isStart, changes, progress, entries }: WorldStep): Promise<string> {
    const { world } = this
    if (!isStart && !this.#needsBase) {
      const changed = changes.length > 0 ? changes : undefined
      return JSON.stringify({ changes: changed, progress, ...this.#entries.encode(entries) })
    }
    const base = toBase(world, await this.#saveSeed())
    // The entries of earlier records are not read again.
    const all = [...world.journal.entries(), ...entries]
    this.#entries = new EntryChain()
    const record: WorldRecord = { base, ...this.#entries.encode(all) }
    return JSON.stringify(record)
  }

  #saveSeed(): Promise<SeedReference> {
    const { seeds, isShared } = this.parts
    return seeds.save(this.world.seed, isShared(this.world.seed))
  }

  /** Returns a snapshot if the records since the last one are many, and not smaller than it. */
  async #takeSnapshot(): Promise<Issued['snapshot']> {
    if (this.#recordsSinceSnapshot < recordsPerSnapshot) return undefined
    if (this.#bytesSinceSnapshot < this.#snapshotBytes) return undefined
    const text = JSON.stringify(toBase(this.world, await this.#saveSeed()))
    this.#recordsSinceSnapshot = 0
    this.#bytesSinceSnapshot = 0
    this.#snapshotBytes = text.length
    return { version: this.#version, text }
  }

  /**
   * Waits until a step is stored, and lets its effects happen. If another process has changed the
   * world, undoes the step and repeats the changes of the other process.
   *
   * @returns Whether the step is stored.
   */
  async #conclude(issued: Issued): Promise<boolean> {
    const { recorder, snapshot } = issued
    try {
      const result = await issued.outcome
      if (result.type !== 'current') {
        await this.#undo(issued, result)
        return false
      }
    } catch (error) {
      this.#isStale = true
      throw error
    }
    this.#needsBase = false
    if (!this.parts.store.isExclusive) this.#record()
    for (const effect of recorder.effects) effect()
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

  async #undo({ recorder, expected, entries }: Issued, result: SinceResult): Promise<void> {
    this.#isStale = true
    this.#entries = entries
    if (result.type !== 'behind' || this.parts.store.isExclusive || !recorder.undo()) return
    if (!(await this.#repeat(result.records))) return
    const { lineage, number } = expected
    this.#version = { lineage, number: number + result.records.length }
    this.#recordsSinceSnapshot += result.records.length
    this.#isStale = false
  }

  /** Repeats the steps of other processes. Returns whether that was possible. */
  async #repeat(texts: readonly string[]): Promise<boolean> {
    const { world } = this
    for (const text of texts) {
      const record = readRecord(text)
      if (!record) return false
      if (record.base) await this.#restoreBase(record.base)
      else if (record.progress) world.repeat(record.changes ?? [], record.progress)
      for (const entry of this.#entries.decode(record)) world.journal.add(entry)
    }
    this.#record()
    return true
  }

  /** Replaces the state in memory by the stored one. If there is none, starts the world anew. */
  async #reload(): Promise<void> {
    const stored = await this.parts.store.load(this.id)
    if (stored) await this.#restore(stored)
    else await this.#startAnew({ lineage: this.parts.createLineage(), number: 0 })
    this.#isStale = false
  }

  /** @param version The version before the start. */
  async #startAnew(version: Version): Promise<void> {
    const seed = await this.prepare()
    this.#version = version
    this.#recordsSinceSnapshot = 0
    this.#record()
    this.world.start(seed)
  }

  /** Continues from a stored state. */
  async #restore({ version, base, records }: StoredWorld): Promise<void> {
    const { world } = this
    const before = { generation: world.generation, lastId: world.journal.lastId }
    const read = records.map(readRecord)
    const snapshotAt = base ? base.number - (version.number - records.length + 1) : -1
    const wholeAt = read.findLastIndex((record) => record?.base !== undefined)
    const state = wholeAt > snapshotAt ? read[wholeAt]?.base : base && readBase(base.data)
    if (!state) {
      await this.#startAnew(version)
      world.notices = ['the stored state of this world could not be read; it has started anew']
      return
    }
    this.#version = version
    this.#recordsSinceSnapshot = records.length - 1 - snapshotAt
    await this.#restoreBase(state)
    const isSameRun = before.generation === world.generation
    const load = (entry: JournalEntry) => {
      if (isSameRun && entry.id > before.lastId) world.journal.add(entry)
      else world.journal.load(entry)
    }
    this.#entries = new EntryChain()
    const loadEntries = (record: WorldRecord | undefined) => {
      if (record) this.#entries.decode(record).forEach(load)
    }
    const next = Math.max(wholeAt, snapshotAt) + 1
    read.slice(Math.max(0, wholeAt), next).forEach(loadEntries)
    const following = read.slice(next)
    const valid = following.findIndex((record) => !record?.progress)
    for (const record of valid < 0 ? following : following.slice(0, valid)) {
      if (record?.progress) world.repeat(record.changes ?? [], record.progress)
      loadEntries(record)
    }
    if (valid >= 0) this.#reportDamage(following.length - valid)
    this.#record()
  }

  #reportDamage(count: number): void {
    const records = count === 1 ? 'the last stored request' : `the last ${count} stored requests`
    const notice = `${records} of this world could not be read; it continues from the one before`
    this.#needsBase = true
    this.world.notices = [notice]
    this.parts.reportError(new Error(`${this.id}: ${notice}`))
  }

  async #restoreBase(base: WorldBase): Promise<void> {
    const { world } = this
    const { generation } = world
    const seed = await this.parts.seeds.load(base.seed)
    world.restore(seed, base)
    // Other worlds do not share a scenario that a client has sent.
    world.memory.resize('scenarios', base.seed.content ? seed.bytes : 0)
    world.restoreData(base.data)
    world.restoreProgress(base.progress)
    if (generation !== world.generation) world.events.restart(world.generation)
  }

  /** Starts to record the next step. */
  #record(): void {
    this.#recorder = new StepRecorder(this.world)
    this.world.recorder = this.#recorder
  }

  /** Follows the changes of other processes while somebody listens to the journal. */
  #follow(isListening: boolean): void {
    const { store } = this.parts
    if (isListening && !store.isExclusive) {
      this.#unfollow ??= store.follow(this.id, () => this.#refresh())
      return
    }
    this.#unfollow?.()
    this.#unfollow = undefined
  }

  #refresh(): void {
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    const end = () => {
      this.#isRefreshing = false
    }
    // The next request reports an unreachable store.
    this.execute(() => {}).then(end, end)
  }
}

const current: Promise<SinceResult> = Promise.resolve({ type: 'current' })

/** Runs a step. Returns a function that returns its result, or throws its error. */
async function settle<Result>(step: () => Result | Promise<Result>): Promise<() => Result> {
  try {
    const result = await step()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Converts a failure to reach the store to the problem sandbox_unavailable. */
export async function convertStoreError<Result>(
  { kind }: Store,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const message = `the ${kind} store of this sandbox cannot be reached; retry after ${retryAfterSeconds} seconds`
    throw new Problem('sandbox_unavailable', message, retryAfterSeconds)
  }
}

import type { World } from '../../control/world.js'
import type { StoredWorld } from '../../store/store.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { repeatStep, restoreProgress, type WorldStep } from '../../world/step.js'
import { EntryChain } from './entry-chain.js'
import type { StoredSeeds } from './stored-seeds.js'
import { readBase, readRecord, type WorldBase, type WorldRecord } from './world-record.js'

/** A world that was restored from its stored form. */
export interface Restored {
  /** Number of records after the snapshot. */
  readonly recordsSinceSnapshot: number
  /** Whether records at the end could not be read, so that the world has an earlier state. */
  readonly isDamaged: boolean
}

/** A world in memory as a copy of its stored form: converts between both. */
export class WorldCopy {
  /** The journal entries of the records so far. */
  entries = new EntryChain()

  constructor(
    readonly world: World,
    readonly seeds: StoredSeeds,
  ) {}

  /** Returns the record of a step that is not a start. */
  toStepText({ changes, progress, entries, facts }: WorldStep): string {
    const record: WorldRecord = {
      changes: changes.length > 0 ? changes : undefined,
      progress,
      requestFacts: facts.length > 0 ? facts : undefined,
      ...this.entries.encode(entries),
    }
    return JSON.stringify(record)
  }

  /** Returns the record of a step with the whole state after it. */
  toWholeText(base: WorldBase, { entries, facts }: WorldStep): string {
    // The entries of earlier records are not read again.
    const all = [...this.world.journal.entries(), ...entries]
    this.entries = new EntryChain()
    const record: WorldRecord = { base, ...this.entries.encode(all), requestFacts: facts }
    return JSON.stringify(record)
  }

  /**
   * Continues from a stored state. Returns undefined if it cannot be read.
   *
   * @throws {Error} If the scenario of the world cannot be read.
   */
  async restore({ version, base, records }: StoredWorld): Promise<Restored | undefined> {
    const addEntry = this.#createAdder()
    const { read, snapshotAt, wholeAt, state } = readStored({ version, base, records })
    if (!state) return undefined
    await this.#restoreBase(state)
    this.entries = new EntryChain()
    const next = Math.max(wholeAt, snapshotAt) + 1
    for (const record of read.slice(Math.max(0, wholeAt), next)) this.#addEntries(record, addEntry)
    const following = read.slice(next)
    const damagedAt = following.findIndex((record) => !record?.progress)
    for (const record of damagedAt < 0 ? following : following.slice(0, damagedAt)) {
      this.#repeatStep(record)
      this.#addEntries(record, addEntry)
    }
    this.world.measure()
    return { recordsSinceSnapshot: records.length - 1 - snapshotAt, isDamaged: damagedAt >= 0 }
  }

  /** Repeats the steps of other processes. Returns whether that was possible. */
  async repeat(texts: readonly string[]): Promise<boolean> {
    for (const text of texts) {
      const record = readRecord(text)
      if (!record) return false
      const addEntry = this.#createAdder()
      if (record.base) {
        await this.#restoreBase(record.base)
        // A process that loads the world does not know the entries before.
        this.entries = new EntryChain()
      } else this.#repeatStep(record)
      this.#addEntries(record, addEntry)
    }
    this.world.measure()
    return true
  }

  #repeatStep(record: WorldRecord | undefined): void {
    if (record?.progress) repeatStep(this.world, record.changes ?? [], record.progress)
  }

  #addEntries(record: WorldRecord | undefined, add: AddEntry): void {
    if (!record) return
    const entries = this.entries.decode(record)
    const { requestFacts = [] } = record
    // A record of the whole state has entries of earlier requests, whose facts are in the state.
    const earlier = entries.length - requestFacts.length
    entries.forEach((entry, at) => {
      add(entry, requestFacts[at - earlier])
    })
  }

  async #restoreBase(base: WorldBase): Promise<void> {
    const { world } = this
    const { generation } = world
    const seed = await this.seeds.load(base.seed)
    world.restore(seed, base)
    // Other worlds do not share a scenario that a client has sent.
    world.seedBytes = base.seed.content ? seed.bytes : 0
    world.db.load(base.data)
    world.measure()
    restoreProgress(world, base.progress)
    if (generation !== world.generation) world.events.restart(world.generation)
  }

  /**
   * Returns a function that adds stored entries to the journal, and notifies its listeners unless the
   * journal already has or had the entry now.
   */
  #createAdder(): AddEntry {
    const { world } = this
    const { generation } = world
    const { newestId } = world.journal
    return (entry, fact) => {
      const isKnown = generation === world.generation && entry.id <= newestId
      world.journal.add(entry, fact, isKnown)
    }
  }
}

type AddEntry = (entry: RecordedEntry, fact: RequestFact | undefined) => void

/** Reads the records of a stored world, and finds the latest whole state. */
function readStored({ version, base, records }: StoredWorld) {
  const read = records.map(readRecord)
  const snapshotAt = base ? base.number - (version.number - records.length + 1) : -1
  const wholeAt = read.findLastIndex((record) => record?.base !== undefined)
  const state = wholeAt > snapshotAt ? read[wholeAt]?.base : base && readBase(base.data)
  return { read, snapshotAt, wholeAt, state }
}

/** Whether a stored world has facts of an account. */
export function hasFacts(stored: StoredWorld, accountId: string): boolean {
  const { read, snapshotAt, wholeAt, state } = readStored(stored)
  let isFound =
    state?.progress.requestFacts?.received.some(([account]) => account === accountId) ?? false
  // The facts of the whole record itself follow its state.
  const following = read.slice(Math.max(wholeAt, snapshotAt + 1, 0))
  for (const record of following) {
    if (record?.progress?.clearedId !== undefined) isFound = false
    if (record?.requestFacts?.some(({ account }) => account === accountId)) isFound = true
  }
  return isFound
}

import type { World } from '../../control/world.js'
import {
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from '../../store/store.js'
import type { WorldSeed } from '../../world/seed.js'
import { Step } from '../../world/step.js'
import { repeatSteps, restoreWorld, toBaseText, toStepText } from './stored-form.js'
import type { SeedReference, StoredSeeds } from './stored-seeds.js'

/** Parts of a sandbox that the copies of its worlds use. */
export interface CopyParts {
  readonly store: Store
  readonly seeds: StoredSeeds
  /** Number of steps that are retained for the journal. */
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

/** Minimum number of steps that a base replaces. */
const stepsPerBase = 100

/** Number of steps after a conflict that first read what is new. */
const carefulSteps = 16

/**
 * A world in memory as a copy of the stored one. If another process has changed the world, the small
 * state before the current step is restored, and the new steps are repeated.
 */
export class WorldCopy {
  /** The version that the copy has. */
  version: Version
  /** What the world does now. */
  step: Step
  /** Whether the copy may differ from the stored world, which has to be loaded. */
  isStale = true
  /** Whether earlier steps cannot be read. */
  #isDamaged = false
  #stepsSinceBase = 0
  #charactersSinceBase = 0
  #baseCharacters = 0
  /** Number of steps that first read what is new. */
  #carefulSteps = 0

  /**
   * @param world A world at its start. `load` replaces its state if it is stored.
   * @param prepare Returns the seed from which the world starts if it is not stored.
   */
  constructor(
    readonly id: string,
    readonly world: World,
    readonly prepare: () => WorldSeed | Promise<WorldSeed>,
    readonly parts: CopyParts,
  ) {
    this.version = { lineage: parts.createLineage(), number: 0 }
    this.step = new Step(world)
  }

  /** Whether the next step contains the whole state, because no readable step does. */
  get isWhole(): boolean {
    return this.#isDamaged || this.version.number === 0
  }

  /**
   * Continues from the stored world, and stores what was changed outside a step.
   *
   * @param isRead Whether the next step may only read, so that no append compares the version.
   */
  async synchronize(isRead: boolean): Promise<void> {
    // The next step stores the start of a world that has only started.
    const isAtStart = this.version.number === 0 && this.step.changes.length === 0
    if (!this.isStale && this.step.hasChanges() && !isAtStart) {
      if (!(await this.store())) this.#reportLost()
    }
    const isCareful = isRead || this.#carefulSteps > 0
    if (!this.isStale && isCareful && !this.parts.store.isExclusive) await this.#read()
    if (this.isStale) await this.load()
  }

  /** Repeats what other processes have stored since. */
  async #read(): Promise<void> {
    const { store } = this.parts
    if (this.#carefulSteps > 0) this.#carefulSteps -= 1
    if (this.version.number > 0) {
      await this.#catchUp(await store.readSince(this.id, this.version))
      return
    }
    const stored = await store.load(this.id)
    if (stored) await this.#restore(stored)
  }

  async #catchUp(result: SinceResult): Promise<void> {
    if (result.type === 'current') return
    const { seeds, reportError } = this.parts
    this.#carefulSteps = carefulSteps
    this.isStale = true
    // The steps may be based on the damaged ones.
    if (result.type === 'lost' || this.#isDamaged) return
    try {
      if (!(await repeatSteps(this.world, result.steps, result.ageMs, seeds))) return
    } catch (error) {
      if (error instanceof StoreError) throw error
      reportError(error)
      return
    }
    this.isStale = false
    this.#stepsSinceBase += result.steps.length
    this.#record(this.version.number + result.steps.length)
  }

  /** Stores the current step. Returns false if another process has changed the world. */
  async store(): Promise<boolean> {
    const { world, parts } = this
    const { store } = parts
    if (!this.step.hasChanges()) return true
    const isWhole = this.step.isStart || this.isWhole
    const seed = isWhole ? await this.#saveSeed() : undefined
    const step = this.step
    const expected = this.version
    const text = toStepText(world, step, seed, store.maximumFacts)
    // What happens from now on belongs to the next step.
    this.#record(expected.number + 1)
    const result = await store.append(this.id, expected, text)
    if (result.type === 'current') {
      this.#isDamaged = false
      this.#stepsSinceBase += 1
      this.#charactersSinceBase += text.length
      step.commit()
      await this.#compact()
      return true
    }
    parts.onConflict()
    const isLost = this.step.hasChanges()
    if (isLost) this.#reportLost()
    this.version = expected
    this.#carefulSteps = carefulSteps
    if (isLost || isWhole || !step.restore()) this.isStale = true
    else await this.#catchUp(result)
    return false
  }

  #saveSeed(): Promise<SeedReference> {
    const { seeds, isShared } = this.parts
    return seeds.save(this.world.seed, isShared(this.world.seed))
  }

  /** Replaces the base if the steps since are many, and not smaller than it. */
  async #compact(): Promise<void> {
    const { store, journalCapacity, reportError } = this.parts
    if (this.#stepsSinceBase < stepsPerBase) return
    if (this.#charactersSinceBase < this.#baseCharacters) return
    try {
      const seed = await this.#saveSeed()
      // What was changed outside a step is not stored yet.
      if (this.step.hasChanges()) return
      const base = toBaseText(this.world, seed, store.maximumFacts)
      this.#stepsSinceBase = 0
      this.#charactersSinceBase = 0
      this.#baseCharacters = base.length
      await store.compact(this.id, this.version, base, journalCapacity)
    } catch (error) {
      // The step is stored. A later base replaces more steps.
      if (!(error instanceof StoreError)) reportError(error)
    }
  }

  /** Replaces the state in memory by the stored one. If there is none, starts the world anew. */
  async load(): Promise<void> {
    const { store, seeds, createLineage } = this.parts
    const stored = await store.load(this.id)
    if (stored) {
      await this.#restore(stored)
      return
    }
    // The store may have lost the seeds, too.
    if (this.version.number > 0) seeds.forget()
    await this.#startAnew({ lineage: createLineage(), number: 0 })
  }

  async #restore(stored: StoredWorld): Promise<void> {
    const { seeds, reportError } = this.parts
    this.isStale = true
    const restored = await restoreWorld(this.world, stored, seeds).catch((error) => {
      if (error instanceof StoreError) throw error
      reportError(error)
      return undefined
    })
    if (!restored) {
      reportError(new Error(`${this.id}: the stored state could not be read`))
      this.world.notices = ['the stored state of this world could not be read; it has started anew']
      await this.#startAnew(stored.version)
      return
    }
    if (restored.isDamaged) {
      const notice =
        'the latest stored requests of this world could not be read; it continues from the one before'
      reportError(new Error(`${this.id}: ${notice}`))
      this.world.notices = [notice]
    }
    this.version = stored.version
    this.#stepsSinceBase = restored.stepsSinceBase
    this.#isDamaged = restored.isDamaged
    this.isStale = false
    this.#record(stored.version.number)
  }

  /** @param version The version before the start. Above 0 if the stored state is damaged. */
  async #startAnew(version: Version): Promise<void> {
    const seed = await this.prepare()
    this.version = version
    this.#stepsSinceBase = 0
    this.#isDamaged = false
    this.isStale = false
    this.#record(version.number)
    this.world.start(seed)
  }

  /** Called when the store cannot be reached. The last step may be stored, and the seeds may be lost. */
  discard(): void {
    this.isStale = true
    this.parts.seeds.forget()
  }

  #reportLost(): void {
    const error = `changes of the world ${this.id} without a request are lost: it changed elsewhere`
    this.parts.reportError(new Error(error))
  }

  /** Starts to record the next step. */
  #record(number: number): void {
    this.version = { ...this.version, number }
    this.step = new Step(this.world)
    this.world.currentStep = this.step
  }
}

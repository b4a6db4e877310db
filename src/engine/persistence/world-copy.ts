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
import type { StoredSeeds } from './stored-seeds.js'

/** Parts of a sandbox that the copies of its worlds use. */
export interface CopyParts {
  readonly store: Store
  readonly seeds: StoredSeeds
  /** Number of steps that are retained for the journal. */
  readonly journalCapacity: number
  /** Returns a random string. */
  readonly createLineage: () => string
  /** Called with each error that is not a failure to reach the store. */
  readonly reportError: (error: unknown) => void
}

/** Minimum number of steps that a base replaces. */
const stepsPerBase = 100

/** Length of a base for which it replaces one step more, so that bases do not cost more than steps. */
const charactersPerStep = 1_000

/**
 * A world in memory as a copy of the stored one. If another process has changed the world, the small
 * state before the current step is restored, and the new steps are repeated.
 */
export class WorldCopy {
  /** What the world does now. */
  step: Step
  /** The version that the copy has. */
  #version: Version
  /** Whether the copy may differ from the stored world, which has to be loaded. */
  #isStale = true
  #baseNumber = 0
  /** In characters. */
  #baseLength = 0

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
    this.#version = { lineage: parts.createLineage(), number: 0 }
    this.step = new Step(world)
  }

  /**
   * Continues from the stored world, and stores what was changed outside a step.
   *
   * @param isRead Whether the next step may only read, so that no append compares the version.
   */
  async synchronize(isRead: boolean): Promise<void> {
    // The next step stores the start of a world that has only started.
    const isAtStart = this.#version.number === 0 && this.step.changes.length === 0
    if (!this.#isStale && !isAtStart && !(await this.append())) this.#reportLost()
    if (!this.#isStale && isRead && !this.parts.store.isExclusive) await this.#read()
    if (this.#isStale) await this.load()
  }

  /** Repeats what other processes have stored since. */
  async #read(): Promise<void> {
    const { store } = this.parts
    if (this.#version.number > 0) {
      this.#catchUp(await store.readSince(this.id, this.#version))
      return
    }
    const stored = await store.load(this.id)
    if (stored) await this.#restore(stored)
  }

  /**
   * Whether the whole state is stored with the step: because it does not follow from stored steps, or
   * they are many.
   */
  get needsBase(): boolean {
    const replaced = this.#version.number - this.#baseNumber
    const isDue = replaced >= Math.max(stepsPerBase, this.#baseLength / charactersPerStep)
    return this.step.isWhole || isDue
  }

  #catchUp(result: SinceResult): void {
    if (result.type === 'current') return
    this.#isStale = true
    // The steps may be based on the damaged ones.
    if (result.type === 'lost' || this.step.isWhole) return
    if (!repeatSteps(this.world, result.steps, result.ageMs)) return
    this.#isStale = false
    this.#begin(this.#version.number + result.steps.length)
  }

  /** Stores the current step. Returns false if another process has changed the world. */
  async append(): Promise<boolean> {
    const { id, world, parts } = this
    const { store, seeds } = parts
    if (!this.step.hasChanges()) return true
    const seed = this.needsBase ? await seeds.save(world.seed) : undefined
    const step = this.step
    const expected = this.#version
    const text = toStepText(step)
    const base = seed && toBaseText(world, seed, store.maximumFacts)
    // What happens from now on belongs to the next step.
    this.#begin(expected.number + 1)
    const retained = step.isStart ? 1 : parts.journalCapacity
    const result = await store.append(id, expected, text, base, retained)
    if (result.type === 'current') {
      step.commit()
      if (base !== undefined) this.#setBase(expected.number + 1, base)
      return true
    }
    const isLost = this.step.hasChanges()
    if (isLost) this.#reportLost()
    this.#version = expected
    this.#isStale = true
    if (!isLost && step.restore()) this.#catchUp(result)
    return false
  }

  #setBase(number: number, data: string): void {
    this.#baseNumber = number
    this.#baseLength = data.length
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
    if (this.#version.number > 0) seeds.forget()
    await this.#startAnew({ lineage: createLineage(), number: 0 })
  }

  async #restore(stored: StoredWorld): Promise<void> {
    const { seeds, reportError } = this.parts
    this.#isStale = true
    const result = await restoreWorld(this.world, stored, seeds).catch((error) => {
      if (error instanceof StoreError) throw error
      reportError(error)
      return 'unreadable'
    })
    if (result === 'unreadable') {
      this.#report('the stored state of this world could not be read; it has started anew')
      await this.#startAnew(stored.version)
      return
    }
    this.#continue(stored.version)
    if (stored.base) this.#setBase(stored.base.number, stored.base.data)
    if (result === 'restored') return
    this.step.isWhole = true
    this.#report(
      'the latest stored requests of this world could not be read; it continues from the one before',
    )
  }

  /** @param version The version before the start. Above 0 if the stored state is damaged. */
  async #startAnew(version: Version): Promise<void> {
    const seed = await this.prepare()
    this.#continue(version)
    this.world.start(seed)
  }

  #continue(version: Version): void {
    this.#version = version
    this.#isStale = false
    this.#begin(version.number)
  }

  /** Called when the store cannot be reached. The last step may be stored, and the seeds may be lost. */
  discard(): void {
    this.#isStale = true
    this.parts.seeds.forget()
  }

  #reportLost(): void {
    const error = `changes of the world ${this.id} without a request are lost: it changed elsewhere`
    this.parts.reportError(new Error(error))
  }

  /** Reports damage, which the explanation of the next request mentions. */
  #report(damage: string): void {
    this.parts.reportError(new Error(`${this.id}: ${damage}`))
    this.world.notices = [damage]
  }

  /** Begins the next step. */
  #begin(number: number): void {
    this.#version = { ...this.#version, number }
    this.step = new Step(this.world)
    this.step.isWhole = number === 0
    this.world.currentStep = this.step
  }
}

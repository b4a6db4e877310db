import type { World } from '../../control/world.js'
import { type Store, StoreError, type Version } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { WorldSeed } from '../../world/seed.js'
import type { Platform } from '../platform.js'
import { Step } from './step.js'
import { readBase, restoreWorld, type StoredSeeds, toBaseText, toStepText } from './stored-form.js'

/** The settings of a sandbox that its stored worlds need. */
export interface StoredWorldsSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  readonly journalCapacity: number
}

/** Minimum number of steps that a base replaces. */
const stepsPerBase = 100

/** Characters of a base for each step that it replaces, so that bases do not cost more than steps. */
const charactersPerStep = 1_000

/**
 * The copy in memory of a stored world. The steps of the world are executed one after the other: a step
 * is run on the copy, stored, and only then visible. If another process has changed the world
 * meanwhile, the small state before the step is restored, the new steps are applied, and the step runs
 * again.
 */
export class WorldCopy {
  // The next three are set when the world is loaded.
  #step!: Step
  #version!: Version
  /** Whether the stored world has to be loaded again, because the copy may differ from it. */
  #isStale!: boolean
  /** Whether each step first reads new steps, because other processes also change the world. */
  #isContended = false
  /** Number of the version from which the next base is due. */
  #nextBase = stepsPerBase
  /** Resolves when the steps so far are executed. */
  #previous: Promise<unknown> = Promise.resolve()
  /** The refresh that waits for the steps so far. */
  #refreshing: Promise<void> | undefined

  /**
   * @param world A world at its start. `load` replaces its state if it is stored.
   * @param findSeed Returns the seed from which the world starts if it is not stored.
   */
  constructor(
    readonly world: World,
    readonly findSeed: () => WorldSeed,
    readonly store: Store,
    readonly seeds: StoredSeeds,
    readonly settings: StoredWorldsSettings,
  ) {}

  /**
   * Executes a step, which reads or changes the world, and stores its changes.
   *
   * @param run Executed again if another process has changed the world in the meantime.
   * @param isService Whether the step is synchronous, and does not read the data that it changes.
   * @throws {StoreError} As a rejection, if the store cannot be reached.
   */
  execute<Result>(run: () => Result | Promise<Result>, isService: boolean): Promise<Result> {
    const attempt = async () => run()
    return this.#enqueue(async () => {
      for (;;) {
        await this.#synchronize(!isService)
        this.#step.isDeferring = isService && !this.#needsBase
        const [outcome] = await Promise.allSettled([attempt()])
        // A step that fails may have changed the world, too.
        if (!(await this.#append())) continue
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      }
    })
  }

  /**
   * Loads the stored state, which another process may have changed.
   *
   * @throws {StoreError} As a rejection, if the store cannot be reached.
   */
  load(): Promise<void> {
    return this.#enqueue(() => this.#load())
  }

  /** Applies new steps of other processes, for listeners of the journal and waits of the clock. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#enqueue(() => {
      this.#refreshing = undefined
      return this.#synchronize(true)
    })
    return this.#refreshing
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#previous.then(task)
    this.#previous = result.catch((error) => {
      // The last step may be stored.
      if (error instanceof StoreError) this.#isStale = true
    })
    return result
  }

  /**
   * Stores changes outside of a step, and continues from the stored world.
   *
   * @param isRead Whether the next step may only read, so that no append compares the version.
   */
  async #synchronize(isRead: boolean): Promise<void> {
    const isChanged = !this.#isStale && this.#step.hasChanges()
    if (isChanged && !(await this.#append())) this.#report(lostChanges)
    if (!this.#isStale && (isRead || this.#isContended)) await this.#catchUp()
    if (this.#isStale) await this.#load()
  }

  /** Applies the steps of other processes. The copy is stale if this is not possible. */
  async #catchUp(): Promise<void> {
    const { store, world } = this
    if (!store.readSince) return
    const since = await store.readSince(world.id, this.#version)
    this.#isContended = since?.steps.length !== 0
    if (!this.#isContended) return
    this.#isStale = true
    if (this.#step.hasChanges()) this.#report(lostChanges)
    // The new steps may be based on the damaged steps.
    else if (since && !this.#step.isWhole && restoreWorld(world, since) === 0) {
      this.#continue(since.version)
    }
  }

  /** Whether to store the base with the step: it is necessary, or there are many steps after it. */
  get #needsBase(): boolean {
    return this.#step.isWhole || this.#version.number >= this.#nextBase
  }

  #planBase(number: number, length: number): void {
    this.#nextBase = number + Math.max(stepsPerBase, length / charactersPerStep)
  }

  /** Stores the current step. Returns false if another process has changed the world. */
  async #append(): Promise<boolean> {
    const { world, store, seeds, settings } = this
    if (!this.#step.isWhole && !this.#step.hasChanges()) return true
    const seed = this.#needsBase ? await seeds.save(world.seed) : undefined
    const step = this.#step
    const expected = this.#version
    const text = toStepText(step)
    const base = seed && toBaseText(step, world, seed, store.maximumFacts)
    const number = expected.number + 1
    // Changes from now on belong to the next step.
    this.#continue({ ...expected, number })
    const retained = step.isStart ? 1 : settings.journalCapacity
    if (await store.append(world.id, expected, { step: text, base, retained })) {
      step.commit()
      if (base !== undefined) this.#planBase(number, base.length)
      return true
    }
    const isLost = this.#step.hasChanges()
    if (isLost) this.#report(lostChanges)
    if (step.isDeferring) step.restore()
    this.#continue(expected)
    // Without other processes, the world was removed because it was not used for a long time.
    this.#isStale = isLost || !step.isDeferring || !store.readSince
    this.#isContended = true
    return false
  }

  async #load(): Promise<void> {
    const { world, store, seeds, settings } = this
    const stored = await store.load(world.id)
    if (!stored) return this.#startAnew({ lineage: settings.platform.randomLabel(), number: 0 })
    let lost: number
    try {
      const base = await readBase(world, stored, seeds)
      lost = restoreWorld(world, stored, base)
      this.#continue(stored.version)
      this.#planBase(base.number, base.length)
    } catch (error) {
      if (error instanceof StoreError) throw error
      settings.platform.reportError(error)
      this.#reportDamage('the stored state of this world could not be read; it has started anew')
      return this.#startAnew(stored.version)
    }
    if (lost === 0) return
    this.#step.isWhole = true
    this.#reportDamage(
      `the latest stored steps of this world are lost (${lost}): the first of them could not be read; the world continues from the last step before them`,
    )
  }

  /** @param version The version before the start. Above 0 if the stored state is damaged. */
  #startAnew(version: Version): void {
    this.world.start(this.findSeed())
    this.world.events.restart(this.world.generation)
    this.#continue(version)
    this.#step.start()
  }

  /** Begins the next step. */
  #continue(version: Version): void {
    this.#version = version
    this.#isStale = false
    this.#step = new Step(this.world)
    this.world.currentStep = this.#step
  }

  /** Reports damage, which the explanation of the next request mentions. */
  #reportDamage(damage: string): void {
    this.#report(damage)
    this.world.notices = [damage]
  }

  #report(problem: string): void {
    this.settings.platform.reportError(new Error(`${this.world.id}: ${problem}`))
  }
}

const lostChanges = 'changes of this world without a request are lost: it has changed elsewhere'

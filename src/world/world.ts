import type { Environment } from '../contract/addresses.js'
import type { JsonText } from '../contract/json-text.js'
import type { PlanId } from '../contract/plans.js'
import type { Change } from '../operations/change.js'
import { Clock } from './clock.js'
import { bodyBytes, type CachedBodies } from './database/bytes.js'
import { Database } from './database/database.js'
import { createDeprecation, type Deprecation, type DeprecationSettings } from './deprecation.js'
import { Faults } from './faults/faults.js'
import { Journal } from './journal/journal.js'
import { Accounts } from './quota/account.js'
import { Random } from './random.js'
import type { Rules } from './rules.js'
import type { WorldSeed } from './seed.js'

/** Identifies a world within a sandbox. */
export interface WorldName {
  readonly environment: Environment
  /** Name of the scenario in the API key. */
  readonly scenario: string
  /** Label in the API key; empty if the key has none. */
  readonly label: string
}

export interface WorldOptions {
  /** Returns the real time in milliseconds since the epoch. */
  readonly realNow: () => number
  /** Maximum number of journal entries. */
  readonly journalCapacity: number
  /** Receives the errors that listeners of the journal throw. */
  readonly reportError: (error: unknown) => void
}

/** One isolated instance of the service: data, clock, quota, bans, faults and journal. */
export class WorldState {
  readonly clock: Clock
  readonly db: Database
  readonly quota: Accounts
  readonly faults = new Faults(() => this.random)
  readonly journal: Journal
  #seed: WorldSeed
  #random: Random
  #startMs: number
  #deprecationSettings: DeprecationSettings
  /** Created on first use. */
  #deprecation: Deprecation | undefined
  readonly #bodies: CachedBodies = new Map()

  constructor(
    readonly name: WorldName,
    seed: WorldSeed,
    options: WorldOptions,
  ) {
    this.db = new Database(seed.template)
    this.clock = new Clock(options.realNow, () => this.quota.dropNotStarted())
    this.quota = new Accounts(seed, () => this.clock.now())
    this.journal = new Journal(options.journalCapacity, options.reportError)
    this.#seed = seed
    this.#random = new Random(seed.seed, seed.draws)
    this.#deprecationSettings = seed.deprecation
    this.#startMs = this.#load(seed)
  }

  /** Name of the running scenario. */
  get scenario(): string {
    return this.#seed.scenario
  }

  /** Initial state of the running scenario; `reset` restores it. */
  get seed(): WorldSeed {
    return this.#seed
  }

  get rules(): Rules {
    return this.#seed.rules
  }

  get random(): Random {
    return this.#random
  }

  get deprecation(): Deprecation {
    this.#deprecation ??= createDeprecation(this.#deprecationSettings, this.#startMs)
    return this.#deprecation
  }

  /** Discards all state, including the journal, and starts from the seed. */
  start(seed: WorldSeed): void {
    this.#seed = seed
    this.resume(seed)
  }

  /**
   * Restores a state of this world from a snapshot, with an empty journal. A later `reset` still
   * restores the start of the running scenario.
   */
  resume(state: WorldSeed): void {
    this.#random = new Random(state.seed, state.draws)
    this.#deprecationSettings = state.deprecation
    this.#deprecation = undefined
    this.#startMs = this.#load(state)
  }

  /** Returns the start in milliseconds since the epoch. */
  #load(state: WorldSeed): number {
    const startMs = this.clock.start(state.clock)
    this.db.restart(state.template)
    this.#bodies.clear()
    this.quota.start(state, startMs)
    this.faults.set(state.faults)
    this.journal.clear()
    return startMs
  }

  /** Restores the start of the running scenario. */
  reset(): void {
    this.start(this.#seed)
  }

  /** Applies a change. All writes to the data of a world go through this method. */
  apply(change: Change): void {
    switch (change.type) {
      case 'quantity.set':
        this.db.setQuantity(change.petId, change.to)
        break
      case 'message.queued':
        this.db.addMessage(change.message)
        break
      case 'pet.put':
        this.db.putPet(change.pet)
        break
      case 'pet.removed':
        this.db.removePet(change.petId)
        break
      case 'order.put':
        this.db.putOrder(change.order)
        break
      case 'order.removed':
        this.db.removeOrder(change.id)
        break
    }
  }

  /** Returns the plan of a key that the scenario lists under `apiKeys`. */
  planOf(apiKey: string): PlanId | undefined {
    return Object.hasOwn(this.#seed.apiKeys, apiKey) ? this.#seed.apiKeys[apiKey] : undefined
  }

  /**
   * Returns the body cached for this revision. If there is none, caches the result of `create`.
   * Worlds share the body for revision 0, which depends only on the records of their scenario.
   */
  cached(name: string, revision: number, create: () => JsonText): JsonText {
    const bodies = revision === 0 ? this.db.template.bodies : this.#bodies
    const cached = bodies.get(name)
    if (cached?.revision === revision) return cached.body
    const body = create()
    bodies.set(name, { revision, body })
    return body
  }

  /** Estimated heap of the bodies that this world caches, in bytes. */
  get cachedBytes(): number {
    return bodyBytes(this.#bodies)
  }
}

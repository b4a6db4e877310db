import type { Environment } from '../contract/addresses.js'
import type { PlanId } from '../contract/plans.js'
import type { Change } from '../operations/change.js'
import { Clock } from './clock.js'
import { Database } from './database.js'
import { createDeprecation, type Deprecation } from './deprecation.js'
import { Faults } from './faults/faults.js'
import { Journal } from './journal/journal.js'
import { Accounts } from './quota/accounts.js'
import { Random } from './random.js'
import type { Rules } from './rules.js'
import type { WorldSeed } from './seed.js'

/** What tells one world from all others. */
export interface WorldName {
  readonly environment: Environment
  /** Name of the scenario in the key. */
  readonly scenario: string
  /** Label of the key; empty without one. */
  readonly label: string
}

export interface WorldOptions {
  /** Milliseconds since 1970 of the real time. */
  readonly realNow: () => number
  /** How many calls the journal keeps. */
  readonly journalCapacity: number
  /** Receives the errors that listeners of the journal throw. */
  readonly reportError: (error: unknown) => void
}

/** One isolated state of the service: data, clock, quota, bans, faults and journal. */
export class WorldState {
  readonly clock: Clock
  readonly db = new Database()
  readonly quota = new Accounts(
    () => this.#state,
    () => this.clock.now(),
  )
  readonly faults = new Faults(() => this.random)
  readonly journal: Journal
  #seed: WorldSeed
  /** What the state now counts from: the seed, or a state that was taken up again. */
  #state: WorldSeed
  #random: Random
  #deprecation: Deprecation
  readonly #cache = new Map<string, { revision: number; value: unknown }>()

  constructor(
    readonly name: WorldName,
    seed: WorldSeed,
    options: WorldOptions,
  ) {
    this.clock = new Clock(options.realNow)
    this.journal = new Journal(options.journalCapacity, options.reportError)
    this.#seed = seed
    this.#state = seed
    this.#random = new Random(seed.seed, seed.draws)
    this.#deprecation = createDeprecation(seed.deprecation, this.clock.now())
    this.start(seed)
  }

  /** Name of the scenario that runs now. */
  get scenario(): string {
    return this.#seed.scenario
  }

  /** What the world started from. */
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
    return this.#deprecation
  }

  /** Forgets all state, the journal too, and starts from the seed. */
  start(seed: WorldSeed): void {
    this.#seed = seed
    this.resume(seed)
  }

  /**
   * Takes up a state of this world that a snapshot wrote down, with an empty journal. A reset still
   * goes back to the start of the scenario that runs.
   */
  resume(state: WorldSeed): void {
    this.#state = state
    this.clock.start(state.clock)
    this.#random = new Random(state.seed, state.draws)
    this.#deprecation = createDeprecation(state.deprecation, this.clock.now())
    this.db.load(state)
    this.quota.clear()
    this.faults.set(state.faults)
    this.journal.clear()
  }

  /** Goes back to the start of the scenario that runs now. */
  reset(): void {
    this.start(this.#seed)
  }

  /** Carries out a change: the one place where the data of a world is written. */
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

  /** The plan of a key that the scenario lists under `apiKeys`. */
  planOf(apiKey: string): PlanId | undefined {
    return Object.hasOwn(this.#seed.apiKeys, apiKey) ? this.#seed.apiKeys[apiKey] : undefined
  }

  /** A value made from data: made again only when the revision of the data is another one. */
  cached<T>(name: string, revision: number, make: () => T): T {
    const kept = this.#cache.get(name)
    if (kept?.revision === revision) return kept.value as T // only `make` of this name filled it
    const value = make()
    this.#cache.set(name, { revision, value })
    return value
  }
}

import type { Environment } from '../service/addresses.js'
import { createCapacityProblem, emptyWorldBytes, journalShare } from '../service/bounds.js'
import type { Change } from '../service/operations/operation.js'
import type { PlanId } from '../service/plans.js'
import { Clock } from './clock.js'
import { createDatabase, type Database } from './database/database.js'
import { createDeprecation, type Deprecation } from './deprecation.js'
import { Faults } from './faults/faults.js'
import type { RecordedEntry } from './journal/entry.js'
import type { RequestFact } from './journal/facts.js'
import { Journal } from './journal/journal.js'
import type { ChangeKind } from './listeners.js'
import { Accounts } from './quota/account.js'
import { hashName, Random } from './random.js'
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

/** The limits of the size of a world: its own limit, and the room that other worlds leave. */
export interface WorldRoom {
  /** Maximum size of the world, in bytes. */
  readonly limit: number
  /**
   * Evicts other worlds until there is room for this size of the world. Returns the exceeded limit, for
   * messages; undefined if there is room.
   */
  makeRoom(size: number): string | undefined
  /** Called with the size of the world when it may have changed. */
  resize(size: number): void
  /** Called when the sandbox discards the world. */
  close(): void
}

export interface WorldOptions {
  /** Returns the real time in milliseconds since the epoch. */
  readonly realNow: () => number
  /** Real time of the start, in milliseconds since the epoch. Default: now. */
  readonly startedAtMs?: number | undefined
  /** Returns the generation of a world that starts: an integer above all earlier ones. */
  readonly nextGeneration: () => number
  /** Maximum number of journal entries. */
  readonly journalCapacity: number
  readonly room: WorldRoom
  /** Receives the errors that listeners of the journal throw. */
  readonly reportError: (error: unknown) => void
  /** Receives the changes of the world, if there are listeners. */
  readonly changes: {
    readonly all: ReadonlySet<unknown>
    report(world: WorldState, kind: ChangeKind): void
  }
}

/** Returns the id of the world with a name. */
export function toWorldId({ environment, scenario, label }: WorldName): string {
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [environment, scenario, label].join('/')
}

/** Plan of each listed API key. */
export type ListedKeys = Readonly<Record<string, PlanId>>

/** How the current run of a world started. */
export type WorldStart = Readonly<
  Pick<WorldState, 'generation' | 'startedAtMs' | 'apiKeys' | 'ownKeys'>
>

/** The current step of a stored world. Records the changes of the world. */
export interface CurrentStep {
  readonly changes: Change[]
  /** The entries, each with its fact for reports. */
  readonly entries: (readonly [entry: RecordedEntry, fact: RequestFact])[]
  /** The actions to run once the step is stored. */
  readonly effects: (() => void)[]
  /** Whether the changes are applied to the data once the step is stored, so that it can be undone. */
  readonly isDeferring: boolean
  /** Called when the world starts anew. */
  start(): void
}

/** One isolated instance of the service: data, clock, quota, bans, faults and journal. */
export class WorldState {
  readonly clock: Clock
  readonly db: Database
  readonly quota: Accounts
  readonly faults: Faults
  readonly journal: Journal
  /** @internal */
  random!: Random
  /** @internal */
  readonly room: WorldRoom
  /** Estimated size of the scenario if no other world uses it, in bytes. @internal */
  seedBytes = 0
  /**
   * Prefix of the ids of its requests: a hash of the name, because its label may be secret. The same
   * requests have the same ids over every transport, with every store and in every process. @internal
   */
  readonly requestIdPrefix: string
  /** While there are any, the world is not evicted. @internal */
  requestsInProgress = 0
  /** Lines that the explanation of the next request contains. @internal */
  notices: readonly string[] = []
  /** Undefined if the world is kept in memory only. @internal */
  currentStep: CurrentStep | undefined
  readonly #nextGeneration: () => number
  readonly #changes: WorldOptions['changes']
  /** Initial state of the running scenario; `reset` restores it. @internal */
  seed!: WorldSeed
  /**
   * Identifies the current run of the world. Increases with each restart, and when an evicted world is
   * created again.
   */
  generation!: number
  /** Real time at which the world was created or last restarted, in milliseconds since the epoch. */
  startedAtMs!: number
  /** Plan of each listed API key that this world accepts. */
  apiKeys!: ListedKeys
  /** The listed keys of the scenario that `start` was called with. `reset` restores them. @internal */
  ownKeys!: ListedKeys
  deprecation!: Deprecation
  readonly name: WorldName
  /** Identifies the world within its sandbox and its store. @internal */
  readonly id: string

  /** @internal */
  constructor(name: WorldName, seed: WorldSeed, options: WorldOptions) {
    this.name = Object.freeze({ ...name })
    this.id = toWorldId(name)
    this.requestIdPrefix = hashName(this.id)
    this.db = createDatabase(seed.records, (change) => this.apply(change))
    this.#changes = options.changes
    this.clock = new Clock(
      options.realNow,
      () => this.quota.dropNotStarted(),
      () => this.onChange('clock'),
    )
    this.faults = new Faults(
      () => this.random,
      () => this.onChange('faults'),
    )
    this.room = options.room
    this.quota = new Accounts(
      () => this.clock.now(),
      (apiKey) => this.planOf(apiKey),
      () => this.onChange('quota'),
    )
    this.journal = new Journal(
      options.journalCapacity,
      (bytes, retainedBytes) =>
        retainedBytes + bytes <= this.room.limit * journalShare &&
        this.#makeRoom(bytes) === undefined,
      options.reportError,
    )
    this.journal.onClear = () => {
      this.measure()
      this.onChange('requests')
    }
    this.#nextGeneration = options.nextGeneration
    const { apiKeys } = seed
    const { startedAtMs = this.clock.realNow() } = options
    const generation = options.nextGeneration()
    this.#load(seed, { generation, startedAtMs, apiKeys, ownKeys: apiKeys })
  }

  /** Reports a change. @internal */
  onChange(kind: ChangeKind): void {
    if (this.#changes.all.size > 0) this.#changes.report(this, kind)
  }

  /** Name of the running scenario. */
  get scenario(): string {
    return this.seed.scenario
  }

  /** @internal */
  get rules(): Rules {
    return this.seed.rules
  }

  /**
   * Discards all state, including the journal, and starts from the seed.
   *
   * @param ownKeys The listed keys that `reset` restores. @internal
   */
  start(seed: WorldSeed, ownKeys: ListedKeys = seed.apiKeys): void {
    const generation = Math.max(this.generation + 1, this.#nextGeneration())
    const startedAtMs = this.clock.realNow()
    this.#load(seed, { generation, startedAtMs, apiKeys: seed.apiKeys, ownKeys })
    this.currentStep?.start()
    this.onChange('start')
  }

  /**
   * Starts from a scenario that a client has chosen. Listed keys that it removes are not accepted
   * until `reset`. @internal
   */
  replace(seed: WorldSeed): void {
    this.start(seed, this.ownKeys)
  }

  /** Loads the state of a seed, with an empty journal. */
  #load(seed: WorldSeed, run: WorldStart): void {
    this.journal.restart()
    this.seed = seed
    Object.assign(this, run)
    this.random = new Random(seed.seed, seed.draws)
    const startMs = this.clock.start(seed.clock, run.startedAtMs)
    this.deprecation = Object.freeze(createDeprecation(seed.deprecation, startMs))
    this.db.restart(seed.records)
    this.quota.start(seed, startMs)
    this.faults.load(seed.faults)
    this.measure()
  }

  /** Restores the start of the running scenario, and accepts all own keys of the world again. */
  reset(): void {
    this.replace(this.seed)
    this.apiKeys = Object.freeze({ ...this.ownKeys, ...this.seed.apiKeys })
  }

  /** Called when the sandbox discards the world. @internal */
  close(): void {
    this.room.close()
  }

  /** Estimated size of the data that only this world retains, in bytes. */
  get size(): number {
    return emptyWorldBytes + this.seedBytes + this.db.bytes + this.journal.bytes
  }

  /** Called when the size may have changed. @internal */
  measure(): void {
    this.room.resize(this.size)
  }

  /**
   * Makes room for more bytes in this world.
   *
   * @throws {Problem} sandbox_capacity @internal
   */
  checkRoom(bytes: number): void {
    const full = this.#makeRoom(bytes)
    if (full !== undefined) throw createCapacityProblem(full, 10)
  }

  /**
   * Makes room for more bytes: discards cached lists, and evicts other worlds. Returns the limit that
   * is still exceeded.
   */
  #makeRoom(bytes: number): string | undefined {
    const size = this.size + bytes
    const { limit } = this.room
    const isFull = size > limit && bytes > 0
    const full = isFull ? `${limit} bytes of one world` : this.room.makeRoom(size)
    return full !== undefined && this.db.dropLists() ? this.#makeRoom(bytes) : full
  }

  /**
   * Applies changes: all of them, or none. All writes to the data of a world go through this method. A
   * request of the service to a stored world applies them once its step is stored.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for them. @internal
   */
  apply(...changes: readonly Change[]): void {
    this.checkRoom(changes.reduce((cost, change) => cost + this.db.costOf(change), 0))
    this.currentStep?.changes.push(...changes)
    if (this.currentStep?.isDeferring) return
    for (const change of changes) this.db.apply(change)
    this.measure()
    this.onChange('data')
  }

  /**
   * Adds an entry to the journal, and then runs an action: for a stored world, once the current step is
   * stored.
   *
   * @param fact The facts about the request for reports. @internal
   */
  log(entry: RecordedEntry, fact: RequestFact, action: () => void): void {
    this.currentStep?.entries.push([entry, fact])
    const { generation } = this
    this.whenStored(() => {
      // The world may have started anew since.
      if (generation === this.generation) this.journal.add(entry, fact)
      this.measure()
      action()
    })
  }

  /** Runs an action: for a stored world, once the current step is stored. @internal */
  whenStored(action: () => void): void {
    if (this.currentStep) this.currentStep.effects.push(action)
    else action()
  }

  /** Continues at the start of a run, with an empty journal. @internal */
  restore(seed: WorldSeed, { generation, startedAtMs, apiKeys, ownKeys }: WorldStart): void {
    this.#load(seed, { generation, startedAtMs, apiKeys, ownKeys })
    this.onChange('start')
  }

  /** Returns the plan of a listed key that this world accepts. @internal */
  planOf(apiKey: string): PlanId | undefined {
    return Object.hasOwn(this.apiKeys, apiKey) ? this.apiKeys[apiKey] : undefined
  }
}

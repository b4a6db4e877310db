import { World } from '../control/world.js'
import { type Environment, environments } from '../service/addresses.js'
import type { AnyScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName, WorldOptions, WorldRoom } from '../world/world.js'
import type { Client } from './client.js'
import type { WorldChanges } from './listeners.js'
import type { StoredWorlds } from './persistence/stored-worlds.js'
import { type Eviction, type Footprint, WorldRegistry } from './registry.js'
import type { SandboxSettings } from './settings.js'

/** Number of worlds that remain in memory if a store has them. Reading one takes some milliseconds. */
const maxLoaded = 1_000

/** How a world starts. */
interface WorldStart {
  readonly seed: WorldSeed
  /** Real time of the start in milliseconds since the epoch. Default: when the world is created. */
  readonly realMs?: number
}

/** A world that is created on first use, and not evicted until it is released. */
export interface Reservation extends WorldStart {
  readonly name: WorldName
  /** Returns the world, or undefined if it does not exist yet. */
  find(): World | undefined
  /**
   * Returns the world. Creates it if it does not exist yet.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for it.
   */
  open(): World
  /** Restarts the world. If it does not exist yet, its clock runs from now on nevertheless. */
  start(seed: WorldSeed): void
  /** Allows the eviction of the world. */
  release(): void
}

/** @param client The client that preparing several scenarios is charged to. */
export type PrepareSeed = (client: Client | undefined) => Promise<WorldSeed>

/** Receives what happens to worlds. */
export interface WorldEvents {
  /** Called with each world that is discarded, and with its keys. */
  onRemove(world: World, apiKeys: readonly string[]): void
  readonly changes: WorldChanges
  onEvict(eviction: Eviction): void
}

/** The worlds of a sandbox. Creates each on first use. */
export class Worlds {
  /** Undefined if worlds are kept in memory only. */
  stored: StoredWorlds | undefined
  readonly registry: WorldRegistry
  /** Never evicted; each is created on first use. */
  readonly #initial = new Map<Environment, World>()
  /** Worlds in preparation, so that concurrent first requests of a key share one world. */
  readonly #pending = new Map<string, Promise<World>>()
  /** By the id of the world. */
  readonly reserved = new Map<string, Reservation>()
  #generation = 0
  #initialSeed: WorldSeed
  /** The seed of initial worlds that are created later; `use` changes it. */
  #currentSeed: WorldSeed

  constructor(
    readonly settings: SandboxSettings,
    readonly events: WorldEvents,
    initialSeed: WorldSeed,
  ) {
    this.#initialSeed = initialSeed
    this.#currentSeed = initialSeed
    this.registry = new WorldRegistry({
      // What is evicted from a store's cache is not lost, so that nothing must be retained.
      limits: settings.store ? { ...settings, retainMs: 0, maxLoaded } : settings,
      now: settings.platform.monotonic,
      countOthers: () => this.#initial.size,
      isPinned: (id) => this.reserved.has(id),
      onRemove: (world, apiKeys) => {
        events.onRemove(world, apiKeys)
        this.stored?.disconnect(world)
      },
      onEvict: (eviction) => events.onEvict(eviction),
    })
  }

  /**
   * Loads the initial worlds from the store.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  async load(): Promise<void> {
    const { library, store, StoredWorlds } = this.settings
    if (!store) return
    if (!StoredWorlds) throw new Error('a sandbox with a store requires the class StoredWorlds')
    const isInUse = (seed: WorldSeed) => seed === this.#initialSeed || seed === this.#currentSeed
    const isShared = (seed: WorldSeed) => library.isShared(seed) || isInUse(seed)
    const stored = new StoredWorlds(store, this.settings, isShared)
    this.stored = stored
    const connect = (environment: Environment) => {
      const world = this.initial(environment)
      return stored.connect(toId(world.name), world, () => this.#currentSeed)
    }
    await Promise.all(environments.map(connect))
  }

  /** Estimated size of all worlds, in bytes. */
  get bytes(): number {
    return this.registry.bytes
  }

  get count(): number {
    return this.registry.size + this.#initial.size
  }

  /** Returns all existing worlds, the initial ones first. */
  all(): World[] {
    return [...this.allInitial(), ...this.registry.worlds()]
  }

  /** Returns the existing worlds of the initial scenario. */
  allInitial(): World[] {
    return [...this.#initial.values()]
  }

  /** Returns the world of the initial scenario. */
  initial(environment: Environment): World {
    const found = this.#initial.get(environment)
    if (found) return found
    const { scenario } = this.#initialSeed
    const name = { environment, scenario, label: '' }
    const room = this.registry.createRoom(undefined)
    const world = this.#createWorld(name, { seed: this.#currentSeed }, room)
    room.open()
    this.#initial.set(environment, world)
    return world
  }

  /** Initial state of the worlds of keys that name no scenario. */
  get initialSeed(): WorldSeed {
    return this.#initialSeed
  }

  /**
   * Replaces the initial state, for example after the scenario file has changed. Affects `reset`
   * and worlds that are created later, but not existing worlds.
   */
  replaceInitialSeed(seed: WorldSeed): void {
    if (this.#currentSeed === this.#initialSeed) this.#currentSeed = seed
    this.#initialSeed = seed
  }

  /**
   * Restarts the initial worlds with another scenario.
   *
   * @throws {ScenarioError} If the scenario is invalid; the worlds keep running.
   */
  async use(scenario: AnyScenarioSource): Promise<void> {
    const { library, platform } = this.settings
    const seed = await library.prepare(scenario, platform.now())
    this.#currentSeed = seed
    const start = (world: World) => this.execute(world, () => world.start(seed))
    await Promise.all(this.allInitial().map(start))
  }

  /** Restarts the initial worlds with the initial scenario and discards all other worlds. */
  reset(): void {
    for (const world of this.registry.worlds()) this.events.changes.report(world, 'start')
    this.registry.clear()
    this.#pending.clear()
    this.reserved.clear()
    this.#currentSeed = this.#initialSeed
    for (const world of this.allInitial()) world.start(this.#initialSeed)
    this.stored?.removeOthers(this.allInitial().map(({ name }) => toId(name)))
  }

  /**
   * Reserves a world, which need not exist yet: it is created on first use, from the given seed, and
   * not evicted until it is released.
   */
  reserve(name: WorldName, seed: WorldSeed): Reservation {
    const id = toId(name)
    const find = () => this.registry.get(id)
    const start = (next: WorldSeed) => {
      this.reserved.set(id, { ...reservation, seed: next, realMs: this.settings.platform.now() })
      find()?.start(next)
    }
    const reservation = {
      name,
      seed,
      find,
      open: () => find() ?? this.#open(id, name, undefined),
      start,
      release: () => this.reserved.delete(id),
    }
    start(seed)
    return reservation
  }

  /**
   * Executes a step of a request, which reads or changes a world. If worlds are stored, resolves once
   * the step is stored, and executes it again if another process has changed the world meanwhile.
   *
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  async execute<Result>(world: World, step: () => Result | Promise<Result>): Promise<Result> {
    return this.stored ? this.stored.execute(world, step) : step()
  }

  /**
   * Returns a world, and marks it as used by a client. Creates it if it does not exist yet.
   *
   * @param client Undefined in process.
   * @param prepareSeed Prepares the scenario, unless it is the initial one.
   * @throws {Problem} sandbox_capacity, as a rejection.
   */
  async find(
    name: WorldName,
    client: Client | undefined,
    prepareSeed: PrepareSeed,
  ): Promise<World> {
    const isInitialScenario = name.scenario === this.#initialSeed.scenario
    if (isInitialScenario && name.label === '') return this.initial(name.environment)
    const id = toId(name)
    const world = this.registry.get(id)
    if (world) this.registry.use(world, client)
    const found = world ?? this.#pending.get(id)
    if (found) return found
    if ((isInitialScenario || this.reserved.has(id)) && !this.stored) {
      return this.#open(id, name, client)
    }
    const isDiscarded = () => this.#pending.get(id) !== pending
    const prepare = isInitialScenario ? async () => this.#initialSeed : prepareSeed
    const pending = this.#prepareWorld(id, name, client, prepare, isDiscarded).finally(() => {
      if (!isDiscarded()) this.#pending.delete(id)
    })
    this.#pending.set(id, pending)
    return pending
  }

  /**
   * Prepares the scenario of a world, and creates the world.
   *
   * @param isDiscarded Whether a reset has discarded the world meanwhile.
   * @throws {Problem} sandbox_capacity, if the client has no room for it.
   */
  async #prepareWorld(
    id: string,
    name: WorldName,
    client: Client | undefined,
    prepareSeed: PrepareSeed,
    isDiscarded: () => boolean,
  ): Promise<World> {
    const seed = await prepareSeed(client)
    const room = this.registry.createRoom(client)
    const world = this.#createWorld(name, { seed }, room)
    if (!this.stored) return this.#add(id, world, room, isDiscarded())
    try {
      await this.stored.connect(id, world, () => prepareSeed(undefined))
      return this.#add(id, world, room, isDiscarded())
    } catch (error) {
      this.stored.disconnect(world)
      world.close()
      throw error
    }
  }

  /**
   * Creates a world whose scenario need not be prepared.
   *
   * @throws {Problem} sandbox_capacity, if the client has no room for it.
   */
  #open(id: string, name: WorldName, client: Client | undefined): World {
    const room = this.registry.createRoom(client)
    const start = this.reserved.get(id) ?? { seed: this.#initialSeed }
    return this.#add(id, this.#createWorld(name, start, room), room, false)
  }

  /**
   * Adds a world.
   *
   * @param isDiscarded Whether later requests of the key do not reach the world.
   * @throws {Problem} sandbox_capacity, if the client has no room for the world.
   */
  #add(id: string, world: World, room: Footprint, isDiscarded: boolean): World {
    const { owner } = room
    owner?.chargeWorld()
    this.registry.makeRoomForWorld(owner)
    const { name, seed } = world
    // A seed that was prepared for this world alone counts towards its size.
    const isJoined = name.scenario.includes('+') && name.scenario !== this.#initialSeed.scenario
    const ownBytes = isJoined ? seed.bytes : 0
    world.checkRoom(ownBytes)
    world.seedBytes += ownBytes
    world.measure()
    if (!isDiscarded) this.registry.add(id, world, room)
    return world
  }

  /** Adds a key to a world, for `onRemove`. Returns false if the world is discarded. */
  addKey(world: World, apiKey: string): boolean {
    const isInitial = world === this.#initial.get(world.name.environment)
    return isInitial || this.registry.addKey(world, apiKey)
  }

  #createWorld(name: WorldName, { seed, realMs }: WorldStart, room: WorldRoom): World {
    const { library, platform, journalCapacity } = this.settings
    const { changes } = this.events
    const options: WorldOptions = {
      realNow: platform.now,
      startedAtMs: realMs,
      nextGeneration: () => this.#nextGeneration(),
      journalCapacity,
      room,
      reportError: (error) => platform.reportError(error),
      onChange: (kind) => {
        if (changes.all.size > 0) changes.report(world, kind)
      },
    }
    const world: World = new World(name, seed, options, library)
    return world
  }

  /** Generations do not repeat after a restart of the process: they are at least the real time. */
  #nextGeneration(): number {
    this.#generation = Math.max(this.#generation + 1, Math.floor(this.settings.platform.now()))
    return this.#generation
  }

  /** Whether an account has sent requests to the world of the same keys in the other environment. */
  async isUsedElsewhere({ name }: World, accountId: string): Promise<boolean> {
    const environment = name.environment === 'production' ? 'staging' : 'production'
    // The copy in memory may be missing, or older than the stored world.
    if (this.stored) return this.#isUsed(this.stored, { ...name, environment }, accountId)
    const isInitial = name.label === '' && name.scenario === this.#initialSeed.scenario
    const world = isInitial
      ? this.#initial.get(environment)
      : this.registry.get(toId({ ...name, environment }))
    return (world?.journal.facts.countOf(accountId) ?? 0) > 0
  }

  /** Whether an account has sent requests to a stored world. Reads a copy of the world. */
  async #isUsed(stored: StoredWorlds, name: WorldName, accountId: string): Promise<boolean> {
    const limit = this.settings.maxWorldMemory
    const room: WorldRoom = { limit, findFull: () => undefined, resize() {}, close() {} }
    const world = this.#createWorld(name, { seed: this.#initialSeed }, room)
    try {
      await stored.connect(toId(name), world, () => this.#initialSeed)
      return world.journal.facts.countOf(accountId) > 0
    } finally {
      stored.disconnect(world)
    }
  }
}

function toId({ environment, scenario, label }: WorldName): string {
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [environment, scenario, label].join('/')
}

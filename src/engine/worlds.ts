import { World } from '../control/world.js'
import { type Environment, environments } from '../service/addresses.js'
import type { Listeners, WorldChanges } from '../world/listeners.js'
import type { AnyScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import { toWorldId, type WorldName } from '../world/world.js'
import type { Client } from './client.js'
import type { StoredWorlds } from './persistence/stored-worlds.js'
import { type Eviction, Place, WorldRegistry } from './registry.js'
import type { SandboxSettings } from './settings.js'

/** A world that is created on first use, and not evicted. */
interface Reservation {
  readonly name: WorldName
  readonly seed: WorldSeed
  /** Real time of the start, in milliseconds since the epoch. */
  readonly startedAtMs: number
}

/** The worlds of a sandbox. Creates each on first use. */
export class Worlds extends WorldRegistry {
  /** Undefined if worlds are kept in memory only. */
  stored: StoredWorlds | undefined
  override readonly reserved = new Map<string, Reservation>()
  /** By id, so that concurrent first requests of a key share one world. */
  readonly #preparing = new Map<string, Promise<World>>()
  #generation = 0
  /** The seed of initial worlds that are created later; `use` changes it. */
  #currentSeed: WorldSeed

  /**
   * @param onKeyChange Called when keys may reach other worlds.
   * @param initialSeed Initial state of the worlds of keys that name no scenario.
   */
  constructor(
    settings: SandboxSettings,
    readonly changes: WorldChanges<World>,
    evictions: Listeners<[eviction: Eviction]>,
    readonly onKeyChange: () => void,
    public initialSeed: WorldSeed,
  ) {
    super(settings, evictions)
    this.#currentSeed = initialSeed
  }

  /**
   * Loads the initial worlds from the store.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  async load(): Promise<void> {
    const { store, StoredWorlds } = this.settings
    if (!store) return
    if (!StoredWorlds) throw new Error('a sandbox with a store requires the class StoredWorlds')
    const isShared = (seed: WorldSeed) =>
      seed === this.initialSeed || seed === this.#currentSeed || seed.isShared
    const stored = new StoredWorlds(store, this.settings, isShared)
    this.stored = stored
    const connect = (environment: Environment) => {
      const world = this.initial(environment)
      return stored.connect(world, () => this.#currentSeed)
    }
    await Promise.all(environments.map(connect))
  }

  /**
   * Replaces the initial state, for example after the scenario file has changed. Affects `reset`
   * and worlds that are created later, but not existing worlds.
   */
  replaceInitialSeed(seed: WorldSeed): void {
    if (this.#currentSeed === this.initialSeed) this.#currentSeed = seed
    this.initialSeed = seed
    this.onKeyChange()
  }

  /** Returns the world of the initial scenario. */
  initial(environment: Environment): World {
    const found = this.initialWorlds.get(environment)
    if (found) return found
    const name = { environment, scenario: this.initialSeed.scenario, label: '' }
    const place = this.#createPlace(name, this.#currentSeed, undefined)
    place.open()
    this.initialWorlds.set(environment, place.world)
    return place.world
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

  /**
   * Executes a step that reads or changes a world. With a store, resolves once the step is stored, and
   * executes it again if another process has changed the world meanwhile.
   *
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  async execute<Result>(world: World, step: () => Result | Promise<Result>): Promise<Result> {
    return this.stored ? this.stored.execute(world, step) : step()
  }

  /** Ends the delays in the time of a world, because nobody can move its clock any more. */
  endDelays(): void {
    for (const { clock } of this.all()) clock.endWaits(true)
  }

  /** Restarts the initial worlds with the initial scenario and discards all other worlds. */
  reset(): void {
    for (const world of this.all()) this.changes.report(world, 'start')
    this.clear()
    this.#preparing.clear()
    this.reserved.clear()
    this.#currentSeed = this.initialSeed
    for (const world of this.allInitial()) world.start(this.initialSeed)
    this.stored?.removeOthers(this.allInitial().map(({ id }) => id))
  }

  /**
   * Reserves a world: it is not evicted until it is released. Restarts the world. If it does not exist
   * yet, its clock starts now.
   */
  reserve(name: WorldName, seed: WorldSeed): void {
    const id = toWorldId(name)
    this.reserved.set(id, { name, seed, startedAtMs: this.settings.platform.now() })
    this.get(id)?.start(seed)
  }

  /** Allows the eviction of a world. Nobody moves its clock any more. */
  release(name: WorldName): void {
    const id = toWorldId(name)
    this.reserved.delete(id)
    this.get(id)?.clock.endWaits(true)
  }

  /**
   * Returns a reserved world. Creates it if it does not exist yet.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for it.
   */
  open(name: WorldName): World {
    const id = toWorldId(name)
    const { seed = this.initialSeed, startedAtMs } = this.reserved.get(id) ?? {}
    return this.get(id) ?? this.#open(this.#createPlace(name, seed, undefined, startedAtMs))
  }

  /**
   * Returns a world and marks it as used by a client. Creates it if it does not exist yet.
   *
   * @param prepareSeed Prepares the scenario, unless it is the initial one.
   * @throws {Problem} sandbox_capacity, as a rejection.
   */
  async find(
    name: WorldName,
    client: Client | undefined,
    prepareSeed: () => Promise<WorldSeed>,
  ): Promise<World> {
    const isInitialScenario = name.scenario === this.initialSeed.scenario
    if (isInitialScenario && name.label === '') return this.initial(name.environment)
    const id = toWorldId(name)
    const world = this.get(id)
    if (world) this.markUsed(world, client)
    const found = world ?? this.#preparing.get(id)
    if (found) return found
    const initialSeed = isInitialScenario ? this.initialSeed : undefined
    const { seed = initialSeed, startedAtMs } = this.reserved.get(id) ?? {}
    const createPlace = async () =>
      this.#createPlace(name, seed ?? (await prepareSeed()), client, startedAtMs)
    const isDiscarded = () => this.#preparing.get(id) !== preparing
    const preparing = this.#prepare(createPlace, isDiscarded).finally(() => {
      if (!isDiscarded()) this.#preparing.delete(id)
    })
    this.#preparing.set(id, preparing)
    return preparing
  }

  /**
   * Creates a world, connects it with the store and opens it.
   *
   * @param createPlace Prepares the scenario, and creates the world.
   * @param isDiscarded Whether a reset has discarded the world meanwhile.
   * @throws {Problem} sandbox_capacity, if the client has no room for it.
   */
  async #prepare(createPlace: () => Promise<Place>, isDiscarded: () => boolean): Promise<World> {
    const place = await createPlace()
    const { world } = place
    const { seed } = world
    await this.stored?.connect(world, () => seed)
    return isDiscarded() ? world : this.#open(place)
  }

  /** @throws {Problem} sandbox_capacity, if there is no room for the world. */
  #open(place: Place): World {
    const { world, owner } = place
    const { name, seed } = world
    owner?.chargeWorld()
    this.makeRoomForWorld(owner)
    // A seed that was prepared for this world alone counts towards its size.
    const isJoined = name.scenario.includes('+') && name.scenario !== this.initialSeed.scenario
    const ownBytes = isJoined ? seed.bytes : 0
    world.checkRoom(ownBytes)
    world.seedBytes += ownBytes
    world.measure()
    this.add(place)
    return world
  }

  /** @param startedAtMs Real time of the start. Default: now. */
  #createPlace(
    name: WorldName,
    seed: WorldSeed,
    owner: Client | undefined,
    startedAtMs?: number,
  ): Place {
    const { library, platform, journalCapacity } = this.settings
    const place = new Place(this, owner)
    const options = {
      realNow: platform.now,
      startedAtMs,
      nextGeneration: () => this.#nextGeneration(),
      journalCapacity,
      room: place,
      reportError: platform.reportError,
      changes: this.changes,
    }
    place.world = new World(name, seed, options, library)
    return place
  }

  protected override remove(place: Place): void {
    super.remove(place)
    this.onKeyChange()
  }

  /** Generations do not repeat after a restart of the process: they are at least the real time. */
  #nextGeneration(): number {
    this.#generation = Math.max(this.#generation + 1, Math.floor(this.settings.platform.now()))
    return this.#generation
  }

  /** Whether an account has sent requests to the world of the same keys in the other environment. */
  async isUsedElsewhere({ name }: World, accountId: string): Promise<boolean> {
    const environment: Environment = name.environment === 'production' ? 'staging' : 'production'
    const other = { ...name, environment }
    const isInitial = name.label === '' && name.scenario === this.initialSeed.scenario
    const loaded = isInitial ? this.initialWorlds.get(environment) : this.get(toWorldId(other))
    // The world in memory may be missing, or older than the stored one.
    const world = this.stored ? await this.#loadCopy(this.stored, other) : loaded
    return world?.journal.facts.received.has(accountId) === true
  }

  /** Loads a copy of a stored world, which counts towards no limit. */
  async #loadCopy(stored: StoredWorlds, name: WorldName): Promise<World> {
    const place = this.#createPlace(name, this.initialSeed, undefined)
    const { world } = place
    place.close()
    await stored.connect(world, () => this.initialSeed)
    return world
  }
}

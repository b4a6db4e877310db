import { World } from '../control/world.js'
import { type AddressId, addresses, type Environment, environments } from '../service/addresses.js'
import { maximumJoined } from '../service/api-key.js'
import type { Problem } from '../service/errors.js'
import type { PlanId } from '../service/plans.js'
import { truncate } from '../service/validation/message.js'
import { suggestName } from '../service/validation/nearest-name.js'
import type { StoreObserver } from '../store/observer.js'
import type { Store } from '../store/store.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import { notifyListeners } from '../world/journal/journal.js'
import type { WorldRoom } from '../world/room.js'
import { ScenarioError } from '../world/scenario/error.js'
import type { ScenarioLibrary, ScenarioSummary } from '../world/scenario/library.js'
import type { AnyScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import type { ChangeKind, WorldName, WorldOptions } from '../world/world.js'
import { Access, type AccessSettings, openAccess } from './access.js'
import { type ChangeListener, WorldChanges } from './changes.js'
import type { Client } from './client.js'
import { createKeyHolder, type Host, type KeyHolder, type RecordingSettings } from './host.js'
import { createInvalidKeyProblem, identifyKey } from './identify.js'
import { ListedKeys } from './listed-keys.js'
import type { ApiRequest, ApiResponse } from './message.js'
import type { StoredWorlds } from './persistence/stored-worlds.js'
import type { Platform } from './platform.js'
import { type Eviction, type Footprint, WorldRegistry } from './registry.js'
import { respond } from './respond.js'
import { findRoute, type Route, type Router } from './route.js'

export interface SandboxSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  /** Default: worlds are kept in memory only. */
  readonly store?: Store | undefined
  /** The class of the worlds in the store. Required with a store; without one, it is not loaded. */
  readonly StoredWorlds?: typeof StoredWorlds | undefined
  /** Receives measurements of the store. */
  readonly storeObserver?: StoreObserver | undefined
  /** Default: every key is accepted and controls its world. */
  readonly access?: AccessSettings | undefined
  readonly recording: RecordingSettings
  /** Maximum number of entries in the journal of each world. */
  readonly journalCapacity: number
  /** Maximum number of worlds; undefined for none except that of the memory. */
  readonly maxWorlds: number | undefined
  /** Maximum estimated size of all worlds, in bytes. */
  readonly maxMemory: number
  /** Maximum estimated size of each world, in bytes. */
  readonly maxWorldMemory: number
  /** Time for which a world is retained for the clients that used it, in milliseconds. */
  readonly retainMs: number
}

/** Maximum number of cached keys per environment. Beyond it, the cache is cleared. */
const maximumKeys = 10_000

/** Number of characters of an unknown scenario that a message shows. */
const shownScenario = 20

const sharedListing =
  'is listed by several tests that run at the same time; give each a key of its own'

/** Differs from each id in the registry, which contains slashes. */
const initialWorldId = 'initial'

/** Share of `maxMemory` that the library may use for the lists of earlier scenarios, and for records. */
const retainedShare = 1 / 16

type RequestListener = Host['onRequest']
/**
 * Number of worlds that remain in memory after their use if a store has them. Reading one takes a
 * few milliseconds (measured).
 */
const maxLoaded = 1_000

type EvictionListener = (eviction: Eviction) => void
type RejectionListener = (problem: Problem) => void

/** Receives a measurement of each request that it observes. */
export interface RequestObserver {
  /** @param seconds Time until the response was ready. */
  countRequest(method: string, route: Route, status: number, seconds: number): void
}

/** How a world starts. */
interface WorldStart {
  readonly seed: WorldSeed
  /** Real time of the start in milliseconds since the epoch. Default: when the world is created. */
  readonly realMs?: number
}

/** How a reserved world starts. */
interface ReservedStart extends WorldStart {
  readonly name: WorldName
}

/** A world that is created on first use, and not evicted until it is released. */
export interface Reservation {
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

/** One sandbox with its worlds. Every transport passes its requests to `respond`. */
export class Sandbox implements Host {
  readonly access: Access
  readonly #registry: WorldRegistry
  readonly #listedKeys = new ListedKeys()
  /** Number of ids that `createRequestId` has created. */
  #requestCount = 0
  /** Worlds in preparation, so that concurrent first requests of a key share one world. */
  readonly #pending = new Map<string, Promise<World>>()
  /** How reserved worlds start, by id. */
  readonly #starts = new Map<string, ReservedStart>()
  /** Never evicted; each is created on first use. */
  readonly #initialWorlds = new Map<Environment, World>()
  /** World ids by key, so that only the first request of a key parses it. */
  readonly #worldIds: Readonly<Record<Environment, Map<string, string>>> = {
    production: new Map(),
    staging: new Map(),
  }
  /** By world and key. Weak, so that an evicted world is released. */
  readonly #holders = new WeakMap<World, Map<string, KeyHolder>>()
  readonly #requestListeners = new Set<RequestListener>()
  readonly #changes = new WorldChanges((error) => this.reportError(error))
  readonly #evictionListeners = new Set<EvictionListener>()
  readonly #rejectionListeners = new Set<RejectionListener>()
  /** Undefined until the control API has been loaded. */
  #controlRouter: Router | undefined
  /** Undefined if worlds are kept in memory only. */
  #stored: StoredWorlds | undefined
  /** What all worlds have in common. */
  readonly #worldOptions: Required<Omit<WorldOptions, 'room' | 'startedAtMs' | 'onChange'>>
  #generation = 0
  #initialSeed: WorldSeed
  /** The seed of initial worlds that are created later; `use` changes it. */
  #currentSeed: WorldSeed

  /**
   * Creates a sandbox.
   *
   * @throws {ScenarioError} If the initial scenario is invalid.
   */
  static async create(settings: SandboxSettings, scenario: AnyScenarioSource): Promise<Sandbox> {
    const { library, platform } = settings
    const sandbox = new Sandbox(settings, await library.prepare(scenario, platform.now()))
    const { store, StoredWorlds } = settings
    if (store) {
      if (!StoredWorlds) throw new Error('a sandbox with a store requires the class StoredWorlds')
      await sandbox.#open(store, StoredWorlds)
    }
    return sandbox
  }

  private constructor(
    readonly settings: SandboxSettings,
    initialSeed: WorldSeed,
  ) {
    this.#initialSeed = initialSeed
    this.#currentSeed = initialSeed
    this.access = new Access(settings.access ?? openAccess)
    settings.library.retainUpTo(settings.maxMemory * retainedShare)
    const { platform, journalCapacity } = settings
    this.#worldOptions = {
      realNow: platform.now,
      nextGeneration: () => this.#nextGeneration(),
      journalCapacity,
      reportError: (error) => platform.reportError(error),
      onStart: (world) => this.#listedKeys.update(world),
    }
    this.#registry = new WorldRegistry({
      // What is evicted from a store's cache is not lost, so that nothing must be retained.
      limits: settings.store ? { ...settings, retainMs: 0, maxLoaded } : settings,
      now: settings.platform.monotonic,
      countOthers: () => this.#initialWorlds.size,
      onRemove: (world) => {
        this.#listedKeys.remove(world)
        this.#stored?.disconnect(world)
      },
      onEvict: (eviction) => this.#notify(this.#evictionListeners, eviction),
    })
  }

  /** Loads the initial worlds from the store. */
  async #open(store: Store, Worlds: typeof StoredWorlds): Promise<void> {
    const { library } = this.settings
    const stored = new Worlds(
      store,
      this.settings,
      (seed) => library.isShared(seed) || seed === this.#initialSeed || seed === this.#currentSeed,
    )
    this.#stored = stored
    const open = (environment: Environment) => {
      const world = this.initialWorld(environment)
      return stored.connect(toId(world.name), world, () => this.#currentSeed)
    }
    await Promise.all(environments.map(open))
  }

  /** Estimated size of all worlds, in bytes. */
  get worldBytes(): number {
    return this.#registry.bytes
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
    for (const ids of Object.values(this.#worldIds)) ids.clear()
  }

  /**
   * Responds to a request of the service or the control API.
   *
   * @param observer Receives the measurement of the request.
   */
  async respond(request: ApiRequest, observer?: RequestObserver): Promise<ApiResponse> {
    const { address, method, path } = request
    const startedAt = this.monotonic()
    const route = await this.route(address, method, path)
    const response = await respond(request, route, this)
    const seconds = (this.monotonic() - startedAt) / 1_000
    observer?.countRequest(method, route, response.status, seconds)
    return response
  }

  /** Finds the operation of a method and a path below an address. */
  async route(address: AddressId, method: string, path: string): Promise<Route> {
    if (addresses[address].api === 'service') return findRoute(address, method, path)
    const router = this.#controlRouter ?? (await this.loadControl())
    return router.route(address, method, path)
  }

  /** Loads the operations of the control API, which few pages use. */
  async loadControl(): Promise<Router> {
    const { controlRouter } = await import('./control.js')
    this.#controlRouter = controlRouter
    return controlRouter
  }

  /** Returns the world of the initial scenario. */
  initialWorld(environment: Environment): World {
    const found = this.#initialWorlds.get(environment)
    if (found) return found
    const { scenario } = this.#initialSeed
    const name = { environment, scenario, label: '' }
    const room = this.#registry.createRoom(undefined)
    const world = this.#createWorld(name, { seed: this.#currentSeed }, room)
    room.open()
    this.#initialWorlds.set(environment, world)
    this.#listedKeys.add(world)
    return world
  }

  /** Executes a step on a world, and stores what it did. */
  async execute<Result>(
    world: World,
    step: () => Result | Promise<Result>,
    isAlone = false,
  ): Promise<Result> {
    return this.#stored ? this.#stored.execute(world, step, isAlone) : step()
  }

  get storeKind(): string | undefined {
    return this.settings.store?.kind
  }

  /**
   * Checks whether worlds can be stored.
   *
   * @throws {Problem} sandbox_unavailable
   */
  async check(): Promise<void> {
    await this.#stored?.check()
  }

  /**
   * Stores what was changed in the worlds without a request.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  async save(): Promise<void> {
    await this.#stored?.save(this.worlds())
  }

  /** Loads all worlds again, which another process may have changed. */
  async reload(): Promise<void> {
    await this.#stored?.reload(this.worlds())
  }

  /** Stores all changes and closes the store. */
  async close(): Promise<void> {
    await this.#stored?.close(this.worlds())
  }

  /** Returns the existing worlds of the initial scenario. */
  initialWorlds(): World[] {
    return [...this.#initialWorlds.values()]
  }

  /** Returns all existing worlds. */
  worlds(): World[] {
    return [...this.initialWorlds(), ...this.#registry.worlds()]
  }

  get worldCount(): number {
    return this.#registry.size + this.#initialWorlds.size
  }

  async identify(apiKey: string, environment: Environment, client?: Client): Promise<KeyHolder> {
    const reserved = this.#starts.size > 0 && this.#identifyReserved(apiKey, environment)
    const found = reserved || this.#findHolder(apiKey, environment, client)
    if (found) return found
    const initial = this.initialWorld(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) return createKeyHolder(apiKey, listedPlan, apiKey, initial)
    const { scenario } = this.#initialSeed
    const { plan, name } = identifyKey(apiKey, environment, scenario, this.access)
    const world = await this.#findWorld(name, apiKey, client)
    return this.#addHolder(apiKey, plan, world)
  }

  /**
   * Returns the holder of a key that the scenario of a reserved world lists.
   *
   * @throws {Problem} invalid_api_key, if several reserved worlds list the key.
   */
  #identifyReserved(apiKey: string, environment: Environment): KeyHolder | undefined {
    let holder: KeyHolder | undefined
    for (const [id, start] of this.#starts) {
      const { name, seed } = start
      const apiKeys = this.#registry.get(id)?.apiKeys ?? seed.apiKeys
      const plan = Object.hasOwn(apiKeys, apiKey) ? apiKeys[apiKey] : undefined
      if (plan === undefined || name.environment !== environment) continue
      if (holder) throw createInvalidKeyProblem(apiKey, sharedListing)
      const world = this.#registry.get(id) ?? this.#openWorld(id, name, start, undefined)
      holder = createKeyHolder(apiKey, plan, apiKey, world)
    }
    return holder
  }

  /** Returns the cached holder of a key, and marks its world as used. */
  #findHolder(
    apiKey: string,
    environment: Environment,
    client: Client | undefined,
  ): KeyHolder | undefined {
    const worldId = this.#worldIds[environment].get(apiKey)
    if (worldId === undefined) return undefined
    const isInitial = worldId === initialWorldId
    const world = isInitial
      ? this.#initialWorlds.get(environment)
      : this.#registry.find(worldId, client)
    return world && this.#holders.get(world)?.get(apiKey)
  }

  #addHolder(apiKey: string, plan: PlanId, world: World): KeyHolder {
    const { environment } = world.name
    const holder = createKeyHolder(apiKey, plan, plan, world)
    const holders = this.#holders.get(world) ?? new Map<string, KeyHolder>()
    this.#holders.set(world, holders.set(apiKey, holder))
    const isInitial = world === this.#initialWorlds.get(environment)
    const worldIds = this.#worldIds[environment]
    if (worldIds.size >= maximumKeys) worldIds.clear()
    worldIds.set(apiKey, isInitial ? initialWorldId : toId(world.name))
    return holder
  }

  /**
   * Restarts the initial worlds with another scenario.
   *
   * @throws {ScenarioError} If the scenario is invalid; the worlds keep running.
   */
  async use(scenario: AnyScenarioSource): Promise<void> {
    const { library, platform } = this.settings
    const seed = await library.prepare(scenario, platform.now(), { retains: true })
    this.#currentSeed = seed
    const start = (world: World) => this.execute(world, () => world.start(seed))
    await Promise.all(this.initialWorlds().map(start))
  }

  /** Restarts the initial worlds with the initial scenario and discards all other worlds. */
  reset(): void {
    for (const world of this.#registry.worlds()) this.#changes.add(world, 'start')
    this.#registry.clear()
    this.#pending.clear()
    this.#starts.clear()
    this.#currentSeed = this.#initialSeed
    for (const world of this.#initialWorlds.values()) world.start(this.#initialSeed)
    this.#stored?.removeOthers(this.initialWorlds().map(({ name }) => toId(name)))
  }

  get recording(): RecordingSettings {
    return this.settings.recording
  }

  /**
   * Calls the listener after each request to the service. The id of an entry that no journal has is
   * 0. Returns a function that removes the listener.
   */
  subscribe(listener: RequestListener): () => void {
    this.#requestListeners.add(listener)
    return () => this.#requestListeners.delete(listener)
  }

  /**
   * Calls the listener after something has changed a world, once per turn of the event loop and
   * world. Returns a function that removes the listener.
   */
  onChange(listener: ChangeListener): () => void {
    return this.#changes.subscribe(listener)
  }

  /** Calls the listener after each eviction of a world. Returns a function that removes it. */
  onEvict(listener: EvictionListener): () => void {
    this.#evictionListeners.add(listener)
    return () => this.#evictionListeners.delete(listener)
  }

  /**
   * Calls the listener each time a request is rejected to protect the sandbox. Returns a function that
   * removes it.
   */
  onRejection(listener: RejectionListener): () => void {
    this.#rejectionListeners.add(listener)
    return () => this.#rejectionListeners.delete(listener)
  }

  reportRejection(problem: Problem): void {
    this.#notify(this.#rejectionListeners, problem)
  }

  /**
   * Reserves a world, which need not exist yet: it is created on first use, from the given seed, and
   * not evicted until it is released.
   */
  reserve(name: WorldName, seed: WorldSeed): Reservation {
    const id = toId(name)
    const unpin = this.#registry.pin(id)
    const find = () => this.#registry.get(id)
    const start = (next: WorldSeed) => {
      this.#starts.set(id, { name, seed: next, realMs: this.settings.platform.now() })
      find()?.start(next)
    }
    start(seed)
    return {
      find,
      open: () => find() ?? this.#openWorld(id, name, this.#startOf(id), undefined),
      start,
      release: () => {
        unpin()
        this.#starts.delete(id)
      },
    }
  }

  onRequest(
    entry: RecordedEntry,
    world: World,
    holder: KeyHolder | undefined,
    client: Client | undefined,
  ): void {
    if (this.#requestListeners.size > 0) {
      this.#notify(this.#requestListeners, entry, world, holder, client)
    }
    // An entry that no journal has was charged to no world.
    if (entry.id !== 0) this.#changes.add(world, 'requests')
  }

  #notify<Args extends readonly unknown[]>(
    listeners: Iterable<(...args: Args) => void>,
    ...args: Args
  ): void {
    notifyListeners(listeners, (error) => this.reportError(error), ...args)
  }

  listScenarios(): readonly ScenarioSummary[] {
    return this.settings.library.list()
  }

  createApiKey(plan: PlanId, scenario = this.initialSeed.scenario): string {
    return this.access.issueKey(plan, scenario, this.randomLabel())
  }

  randomLabel(): string {
    return this.settings.platform.randomLabel()
  }

  findClaimedKey(world: World, apiKeys: readonly string[]): string | undefined {
    return this.#listedKeys.findClaimed(world, apiKeys)
  }

  async isUsedElsewhere({ name }: World, accountId: string): Promise<boolean> {
    const environment = name.environment === 'production' ? 'staging' : 'production'
    const id = toId({ ...name, environment })
    // The copy in memory may be missing, or older than the stored world.
    if (this.#stored) return this.#stored.isUsed(id, accountId)
    const isInitial = name.label === '' && name.scenario === this.#initialSeed.scenario
    const world = isInitial ? this.#initialWorlds.get(environment) : this.#registry.get(id)
    return (world?.journal.facts.countOf(accountId) ?? 0) > 0
  }

  createRequestId(): string {
    this.#requestCount += 1
    return `${this.settings.platform.instance ?? 'local'}-${this.#requestCount}`
  }

  monotonic(): number {
    return this.settings.platform.monotonic()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.settings.platform.sleep(ms, signal)
  }

  reportError(error: unknown): void {
    this.settings.platform.reportError(error)
  }

  async #findWorld(name: WorldName, apiKey: string, client: Client | undefined): Promise<World> {
    const { scenario } = this.#initialSeed
    if (name.label === '' && name.scenario === scenario) return this.initialWorld(name.environment)
    const id = toId(name)
    const found = this.#registry.find(id, client) ?? this.#pending.get(id)
    if (found) return found
    const isPrepared = this.#starts.has(id) || name.scenario === scenario
    return isPrepared && !this.#stored
      ? this.#openWorld(id, name, this.#startOf(id), client)
      : this.#prepareWorld(id, name, apiKey, client)
  }

  /** Returns how a world starts whose scenario need not be prepared. */
  #startOf(id: string): WorldStart {
    return this.#starts.get(id) ?? { seed: this.#initialSeed }
  }

  /**
   * Prepares the scenario of a world on the first request of its key, and creates the world.
   *
   * @throws {Problem} sandbox_capacity, if the client has no room for it.
   */
  #prepareWorld(
    id: string,
    name: WorldName,
    apiKey: string,
    client: Client | undefined,
  ): Promise<World> {
    const open = async (seed: WorldSeed) => {
      // A reset in the meantime has discarded the world.
      const isDiscarded = () => this.#pending.get(id) !== pending
      if (!this.#stored) return this.#openWorld(id, name, { seed }, client, isDiscarded())
      const room = this.#registry.createRoom(client)
      const world = this.#createWorld(name, { seed }, room)
      try {
        await this.#stored.connect(id, world, () => this.#prepare(name, apiKey))
        return this.#addWorld(id, world, room, isDiscarded())
      } catch (error) {
        this.#stored.disconnect(world)
        world.close()
        throw error
      }
    }
    const pending: Promise<World> = this.#prepare(name, apiKey, client).then(open)
    this.#pending.set(id, pending)
    const removePending = () => {
      if (this.#pending.get(id) === pending) this.#pending.delete(id)
    }
    pending.then(removePending, removePending)
    return pending
  }

  /**
   * Creates a world.
   *
   * @param isDiscarded Whether later requests of the key do not reach the world.
   * @throws {Problem} sandbox_capacity, if the client has no room for it.
   */
  #openWorld(
    id: string,
    name: WorldName,
    start: WorldStart,
    client: Client | undefined,
    isDiscarded = false,
  ): World {
    const room = this.#registry.createRoom(client)
    const world = this.#createWorld(name, start, room)
    return this.#addWorld(id, world, room, isDiscarded)
  }

  /** @throws {Problem} sandbox_capacity, if the client has no room for the world. */
  #addWorld(id: string, world: World, room: Footprint, isDiscarded: boolean): World {
    const { owner } = room
    owner?.chargeWorld()
    this.#registry.makeRoomForWorld(owner)
    world.checkRoom(this.#ownSeedBytes(world))
    world.seedBytes += this.#ownSeedBytes(world)
    world.measure()
    if (isDiscarded) return world
    room.open()
    this.#registry.add(id, world, owner)
    this.#listedKeys.add(world)
    return world
  }

  /** Returns the size of a seed that was prepared for this world alone, in bytes. */
  #ownSeedBytes({ name, seed }: World): number {
    const isJoined = name.scenario.includes('+') && name.scenario !== this.#initialSeed.scenario
    return isJoined ? seed.bytes : 0
  }

  /**
   * Prepares the scenarios that a key names.
   *
   * @param client The client that preparing several scenarios is charged to.
   * @throws {Problem} invalid_api_key, or sandbox_capacity.
   */
  async #prepare(
    { scenario }: WorldName,
    apiKey: string,
    client?: Client | undefined,
  ): Promise<WorldSeed> {
    const { library, platform } = this.settings
    if (scenario === this.#initialSeed.scenario) return this.#initialSeed
    const names = scenario.split('+')
    if (names.length > maximumJoined) {
      const reason = `joins ${names.length} scenarios with +, and a key joins at most ${maximumJoined}; PUT /sandbox/scenario merges more`
      throw createInvalidKeyProblem(apiKey, reason)
    }
    const unknown = names.find((name) => !library.has(name))
    if (unknown !== undefined) {
      // The name may be a label with its signature.
      const shown = truncate(unknown, shownScenario)
      const reason = `names the unknown scenario "${shown}"${suggestName(unknown, library.names())}`
      throw createInvalidKeyProblem(apiKey, reason)
    }
    if (names.length === 1) return library.prepare(scenario, platform.now())
    // The library does not retain the result: each world prepares it, as PUT /sandbox/scenario does.
    client?.chargeControlRequest()
    return library.prepare(names, platform.now()).catch((error: unknown) => {
      if (!(error instanceof ScenarioError)) throw error
      throw createInvalidKeyProblem(
        apiKey,
        `joins scenarios that do not merge: ${error.problems[0]}`,
      )
    })
  }

  #createWorld(name: WorldName, { seed, realMs }: WorldStart, room: WorldRoom): World {
    const { library } = this.settings
    const onChange = (kind: ChangeKind) => this.#changes.add(world, kind)
    const { realNow, nextGeneration, journalCapacity, reportError, onStart } = this.#worldOptions
    // Not with a spread: defining fields after it would take an eighth of the time of a new world.
    const options: Required<WorldOptions> = {
      realNow,
      nextGeneration,
      journalCapacity,
      reportError,
      onStart,
      startedAtMs: realMs,
      room,
      onChange,
    }
    const world: World = new World(name, seed, options, library)
    return world
  }

  /** Generations do not repeat after a restart of the process: they are at least the real time. */
  #nextGeneration(): number {
    this.#generation = Math.max(this.#generation + 1, Math.floor(this.settings.platform.now()))
    return this.#generation
  }
}

function toId({ environment, scenario, label }: WorldName): string {
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return [environment, scenario, label].join('/')
}

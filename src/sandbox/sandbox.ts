import type { AddressId, Environment } from '../contract/addresses.js'
import type { PlanId } from '../contract/plans.js'
import { World } from '../control/world.js'
import { createKeyHolder, type Host, type KeyHolder } from '../pipeline/host.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import { respond } from '../pipeline/respond.js'
import { findRoute, type Route } from '../pipeline/route.js'
import type { ScenarioLibrary, ScenarioSource, ScenarioSummary } from '../scenario/library.js'
import { truncate } from '../validation/message.js'
import { suggestName } from '../validation/nearest-name.js'
import type { SliceRunner } from '../validation/slices.js'
import { type JournalEntry, notifyListeners } from '../world/journal/journal.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName } from '../world/world.js'
import { createInvalidKeyProblem, identifyKey } from './identify.js'
import type { Platform } from './platform.js'
import { WorldRegistry } from './registry.js'

export interface SandboxSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  /** Maximum number of entries in the journal of each world. */
  readonly journalCapacity: number
  /** Maximum number of worlds. Beyond it, the least recently used world is evicted. */
  readonly maxWorlds: number
  /**
   * Maximum number of records in all worlds except the initial ones. Beyond it, the least recently
   * used worlds are evicted.
   */
  readonly maxRecords: number
}

/** Maximum number of cached keys. Beyond it, the cache is cleared. */
const maximumKeys = 10_000

/** Differs from each id in the registry, which contains slashes. */
const initialWorldId = 'initial'

type RequestListener = (entry: JournalEntry, world: World) => void
type WorldListener = (world: World) => void

/** One sandbox with its worlds. Every transport passes its requests to `respond`. */
export class Sandbox implements Host {
  readonly #registry: WorldRegistry
  /** Worlds in preparation, so that concurrent first requests of a key share one world. */
  readonly #pending = new Map<string, Promise<World>>()
  /** Never evicted; each is created on first use. */
  readonly #initialWorlds = new Map<Environment, World>()
  /** World ids by environment and key, so that only the first request of a key parses it. */
  readonly #worldIds = new Map<string, string>()
  /** By world and key. Weak, so that an evicted world is released. */
  readonly #holders = new WeakMap<World, Map<string, KeyHolder>>()
  readonly #requestListeners = new Set<RequestListener>()
  readonly #worldListeners = new Set<WorldListener>()
  #initialSeed: WorldSeed
  /** The seed of initial worlds that are created later; `use` changes it. */
  #currentSeed: WorldSeed

  /**
   * Creates a sandbox.
   *
   * @throws {ScenarioError} If the initial scenario is invalid.
   */
  static async create(settings: SandboxSettings, scenario: ScenarioSource): Promise<Sandbox> {
    const { library, platform } = settings
    return new Sandbox(settings, await library.prepare(scenario, platform.now()))
  }

  private constructor(
    readonly settings: SandboxSettings,
    initialSeed: WorldSeed,
  ) {
    this.#initialSeed = initialSeed
    this.#currentSeed = initialSeed
    this.#registry = new WorldRegistry(settings, () => this.#initialWorlds.size)
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
    this.#worldIds.clear()
  }

  /** Finds the operation of a method and a path below an address. */
  route(address: AddressId, method: string, path: string): Route {
    return findRoute(address, method, path)
  }

  /** Responds to a request of the service or the control API. Never throws or rejects. */
  respond(request: ApiRequest, route: Route): ApiResponse | Promise<ApiResponse> {
    return respond(request, route, this)
  }

  /** Returns the world of the initial scenario. */
  initialWorld(environment: Environment): World {
    const found = this.#initialWorlds.get(environment)
    if (found) return found
    const { scenario } = this.#initialSeed
    const world = this.#createWorld({ environment, scenario, label: '' }, this.#currentSeed)
    this.#initialWorlds.set(environment, world)
    return world
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

  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder> {
    const cached = this.#findHolder(apiKey, environment)
    if (cached) return cached
    const initial = this.initialWorld(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) return createKeyHolder(apiKey, listedPlan, apiKey, initial)
    const { plan, name } = identifyKey(apiKey, environment, this.#initialSeed.scenario)
    const world = this.#findWorld(name, apiKey)
    return world instanceof Promise
      ? world.then((found) => this.#addHolder(apiKey, plan, found))
      : this.#addHolder(apiKey, plan, world)
  }

  /** Returns the cached holder of a key, and marks its world as used. */
  #findHolder(apiKey: string, environment: Environment): KeyHolder | undefined {
    const worldId = this.#worldIds.get(`${environment} ${apiKey}`)
    if (worldId === undefined) return undefined
    const isInitial = worldId === initialWorldId
    const world = isInitial ? this.#initialWorlds.get(environment) : this.#registry.find(worldId)
    return world && this.#holders.get(world)?.get(apiKey)
  }

  #addHolder(apiKey: string, plan: PlanId, world: World): KeyHolder {
    const { environment } = world.name
    const holder = createKeyHolder(apiKey, plan, plan, world)
    const holders = this.#holders.get(world) ?? new Map<string, KeyHolder>()
    this.#holders.set(world, holders.set(apiKey, holder))
    const isInitial = world === this.#initialWorlds.get(environment)
    if (this.#worldIds.size >= maximumKeys) this.#worldIds.clear()
    const worldId = isInitial ? initialWorldId : toId(world.name)
    this.#worldIds.set(`${environment} ${apiKey}`, worldId)
    return holder
  }

  /**
   * Restarts the initial worlds with another scenario.
   *
   * @throws {ScenarioError} If the scenario is invalid; the worlds keep running.
   */
  async use(scenario: ScenarioSource): Promise<void> {
    const { library, platform } = this.settings
    this.#startInitialWorlds(await library.prepare(scenario, platform.now()))
  }

  /** Restarts the initial worlds with the initial scenario and discards all other worlds. */
  reset(): void {
    this.#registry.clear()
    this.#pending.clear()
    this.#startInitialWorlds(this.#initialSeed)
  }

  #startInitialWorlds(seed: WorldSeed): void {
    this.#currentSeed = seed
    for (const world of this.#initialWorlds.values()) world.start(seed)
  }

  /** Calls the listener after each request to the service. Returns a function that removes it. */
  subscribe(listener: RequestListener): () => void {
    this.#requestListeners.add(listener)
    return () => this.#requestListeners.delete(listener)
  }

  /** Calls the listener after each request that may have changed a world. Returns a function that removes it. */
  watch(listener: WorldListener): () => void {
    this.#worldListeners.add(listener)
    return () => this.#worldListeners.delete(listener)
  }

  onRequest(entry: JournalEntry, world: World): void {
    notifyListeners(this.#requestListeners, (error) => this.reportError(error), entry, world)
    this.#notifyWorldListeners(world)
  }

  onControl(world: World): void {
    this.#registry.recount(toId(world.name))
    this.#notifyWorldListeners(world)
  }

  #notifyWorldListeners(world: World): void {
    notifyListeners(this.#worldListeners, (error) => this.reportError(error), world)
  }

  listScenarios(): readonly ScenarioSummary[] {
    return this.settings.library.list()
  }

  createApiKey(plan: PlanId, scenario = this.initialSeed.scenario): string {
    return `sbx_${plan}_${scenario}_${this.settings.platform.randomLabel()}`
  }

  get slices(): SliceRunner {
    return this.settings.library.slices
  }

  monotonic(): number {
    return this.settings.platform.monotonic()
  }

  sleep(ms: number): Promise<void> {
    return this.settings.platform.sleep(ms)
  }

  reportError(error: unknown): void {
    this.settings.platform.reportError(error)
  }

  #findWorld(name: WorldName, apiKey: string): World | Promise<World> {
    const { scenario } = this.#initialSeed
    if (name.label === '' && name.scenario === scenario) return this.initialWorld(name.environment)
    const id = toId(name)
    return this.#registry.find(id) ?? this.#pending.get(id) ?? this.#addWorld(id, name, apiKey)
  }

  /** Creates a world on the first request of its key. */
  #addWorld(id: string, name: WorldName, apiKey: string): Promise<World> {
    const pending = this.#prepare(name, apiKey).then((seed) => {
      const world = this.#createWorld(name, seed)
      // A reset in the meantime has discarded the world.
      if (this.#pending.get(id) === pending) this.#registry.add(id, world)
      return world
    })
    this.#pending.set(id, pending)
    const removePending = () => {
      if (this.#pending.get(id) === pending) this.#pending.delete(id)
    }
    pending.then(removePending, removePending)
    return pending
  }

  async #prepare(name: WorldName, apiKey: string): Promise<WorldSeed> {
    const { library, platform } = this.settings
    if (name.scenario === this.#initialSeed.scenario) return this.#initialSeed
    if (library.has(name.scenario)) return library.prepare(name.scenario, platform.now())
    const hint = suggestName(name.scenario, library.names())
    const reason = `names the unknown scenario "${truncate(name.scenario)}"${hint}`
    throw createInvalidKeyProblem(apiKey, reason)
  }

  #createWorld(name: WorldName, seed: WorldSeed): World {
    const { platform, journalCapacity, library } = this.settings
    const reportError = (error: unknown) => platform.reportError(error)
    const options = { realNow: () => platform.now(), journalCapacity, reportError }
    return new World(name, seed, options, library)
  }
}

function toId({ environment, scenario, label }: WorldName): string {
  return `${environment}/${scenario}/${label}`
}

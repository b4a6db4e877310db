import type { AddressId, Environment } from '../contract/addresses.js'
import { apiKeyForm, maskApiKey, parseApiKey } from '../contract/api-key.js'
import { Problem } from '../contract/errors.js'
import type { PlanId } from '../contract/plans.js'
import { World } from '../control/world.js'
import { type OperationId, operations } from '../operations/operations.js'
import type { Host, KeyHolder } from '../pipeline/exchange.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import { respond } from '../pipeline/respond.js'
import { findRoute, type Route } from '../pipeline/route.js'
import type { ScenarioLibrary, ScenarioSource, ScenarioSummary } from '../scenario/library.js'
import { type JournalEntry, notifyListeners } from '../world/journal/journal.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName } from '../world/world.js'

/** What the runtime gives: time, waiting, and a place for defects. */
export interface Platform {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only ever grow. */
  monotonic(): number
  sleep(ms: number): Promise<void>
  /** Letters and digits that nobody can guess: 128 bits or more. */
  randomLabel(): string
  /** Reports what does not stop the sandbox. */
  warn(message: string): void
  reportError(error: unknown): void
}

export interface SandboxSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  /** How many calls each world's journal keeps. */
  readonly journalCapacity: number
  /** How many worlds exist at the most; past it the longest idle leaves. */
  readonly maxWorlds: number
  /** How many records all worlds but the initial ones hold at the most; past it likewise. */
  readonly maxRecords: number
}

type RequestListener = (entry: JournalEntry, world: World) => void
type WorldListener = (world: World) => void

interface PlacedWorld {
  readonly world: World
  /** Counts up with each use: the smallest is the longest idle. */
  lastUse: number
}

/** The worlds of one sandbox, and which of them a key reaches. */
export class Sandbox implements Host {
  readonly #worlds = new Map<string, PlacedWorld>()
  readonly #arriving = new Map<string, Promise<World>>()
  /** Each is made when it is first asked for. */
  readonly #initialWorlds = new Map<Environment, World>()
  readonly #listeners = new Set<RequestListener>()
  readonly #watchers = new Set<WorldListener>()
  #uses = 0
  /** What the initial worlds start from now. */
  #seed: WorldSeed
  #initialSeed: WorldSeed

  /** Makes a sandbox whose initial scenario is ready. */
  static async create(settings: SandboxSettings, scenario: ScenarioSource): Promise<Sandbox> {
    return new Sandbox(settings, await settings.library.prepare(scenario))
  }

  private constructor(
    readonly settings: SandboxSettings,
    initialSeed: WorldSeed,
  ) {
    this.#initialSeed = initialSeed
    this.#seed = initialSeed
  }

  /** What the sandbox began with: its initial scenario, which keys without one reach. */
  get initialSeed(): WorldSeed {
    return this.#initialSeed
  }

  /** Takes over the initial scenario as it is written now, for a reset and for worlds made from then. */
  replaceInitialSeed(seed: WorldSeed): void {
    this.#initialSeed = seed
  }

  /** Finds the operation of a method and a path below an address. */
  route(address: AddressId, method: string, path: string): Route {
    return findRoute(address, method, path)
  }

  /** Responds to a request of the service or the control API. Never throws or rejects. */
  respond(request: ApiRequest, route: Route): ApiResponse | Promise<ApiResponse> {
    return respond(request, route, this)
  }

  initialWorld(environment: Environment): World {
    const found = this.#initialWorlds.get(environment)
    if (found) return found
    const { scenario } = this.initialSeed
    const world = this.#createWorld({ environment, scenario, label: '' }, this.#seed)
    this.#initialWorlds.set(environment, world)
    return world
  }

  /** The worlds that exist now. */
  worlds(): World[] {
    const placed = Array.from(this.#worlds.values(), ({ world }) => world)
    return [...this.#initialWorlds.values(), ...placed]
  }

  /** How many worlds exist now. */
  get worldCount(): number {
    return this.#worlds.size + this.#initialWorlds.size
  }

  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder> {
    const initial = this.initialWorld(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) {
      return toHolder(initial, listedPlan, apiKey)
    }
    const key = parseApiKey(apiKey)
    if (!key) throw invalidApiKey(apiKey, `must be ${apiKeyForm}`)
    const { plan, scenario = this.initialSeed.scenario, label } = key
    if (plan === 'revoked') throw invalidApiKey(apiKey, 'is revoked')
    const world = this.#findWorld({ environment, scenario, label }, apiKey)
    return world instanceof Promise
      ? world.then((arrived) => toHolder(arrived, plan, plan))
      : toHolder(world, plan, plan)
  }

  /** Switches both initial worlds to another scenario; refused as a whole when it does not fit. */
  async use(scenario: ScenarioSource): Promise<void> {
    this.#startInitialWorlds(await this.settings.library.prepare(scenario))
  }

  /** Puts the initial worlds back to the scenario that the sandbox began with; all others go. */
  reset(): void {
    this.#worlds.clear()
    this.#arriving.clear()
    this.#startInitialWorlds(this.initialSeed)
  }

  #startInitialWorlds(seed: WorldSeed): void {
    this.#seed = seed
    for (const world of this.#initialWorlds.values()) world.start(seed)
  }

  /** Calls the listener with each call that was answered. Returns a function that ends this. */
  subscribe(listener: RequestListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the listener with each world that a call or steering may have changed. */
  watch(listener: WorldListener): () => void {
    this.#watchers.add(listener)
    return () => this.#watchers.delete(listener)
  }

  onRequest(entry: JournalEntry, world: World): void {
    notifyListeners(this.#listeners, (error) => this.reportError(error), entry, world)
    this.#tell(world)
  }

  onControl(world: World): void {
    this.#evict()
    this.#tell(world)
  }

  #tell(world: World): void {
    notifyListeners(this.#watchers, (error) => this.reportError(error), world)
  }

  listScenarios(): readonly ScenarioSummary[] {
    return this.settings.library.list()
  }

  createApiKey(plan: PlanId, scenario = this.initialSeed.scenario): string {
    return `sbx_${plan}_${scenario}_${this.settings.platform.randomLabel()}`
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
    const { scenario } = this.initialSeed
    if (name.label === '' && name.scenario === scenario) return this.initialWorld(name.environment)
    const id = toId(name)
    const placed = this.#worlds.get(id)
    if (placed) {
      this.#uses += 1
      placed.lastUse = this.#uses
      return placed.world
    }
    return this.#arriving.get(id) ?? this.#arrive(id, name, apiKey)
  }

  /** Makes a world on the first use of its key; calls that come meanwhile wait for the same one. */
  #arrive(id: string, name: WorldName, apiKey: string): Promise<World> {
    const arriving = this.#prepare(name, apiKey).then((seed) => {
      const world = this.#createWorld(name, seed)
      if (this.#arriving.get(id) === arriving) this.#place(id, world)
      return world
    })
    this.#arriving.set(id, arriving)
    const forget = () => {
      if (this.#arriving.get(id) === arriving) this.#arriving.delete(id)
    }
    arriving.then(forget, forget)
    return arriving
  }

  #prepare(name: WorldName, apiKey: string): Promise<WorldSeed> | Promise<never> {
    const { library } = this.settings
    if (name.scenario === this.initialSeed.scenario) return Promise.resolve(this.initialSeed)
    if (library.has(name.scenario)) return library.prepare(name.scenario)
    const known = library.names().join(', ')
    const reason = `names the unknown scenario "${name.scenario}"; known are ${known}`
    return Promise.reject(invalidApiKey(apiKey, reason))
  }

  #place(id: string, world: World): void {
    this.#uses += 1
    this.#worlds.set(id, { world, lastUse: this.#uses })
    this.#evict()
  }

  /** Lets the longest idle worlds leave while there are too many, or all hold too many records. */
  #evict(): void {
    while (this.#worlds.size > 1 && this.#isOverfull()) {
      this.#worlds.delete(this.#findLongestIdle())
    }
  }

  #isOverfull(): boolean {
    if (this.worldCount > this.settings.maxWorlds) return true
    let records = 0
    for (const { world } of this.#worlds.values()) records += world.db.recordCount
    return records > this.settings.maxRecords
  }

  #findLongestIdle(): string {
    let found = ''
    let lastUse = Infinity
    for (const [id, placed] of this.#worlds) {
      if (placed.lastUse >= lastUse) continue
      found = id
      lastUse = placed.lastUse
    }
    return found
  }

  #createWorld(name: WorldName, seed: WorldSeed): World {
    const { platform, journalCapacity, library } = this.settings
    const reportError = (error: unknown) => platform.reportError(error)
    const options = { realNow: () => platform.now(), journalCapacity, reportError }
    return new World(name, seed, options, library)
  }
}

function toHolder(world: World, plan: PlanId, accountId: string): KeyHolder {
  return { world, plan, accountId, account: () => world.quota.account(accountId) }
}

function toId({ environment, scenario, label }: WorldName): string {
  return `${environment}/${scenario}/${label}`
}

function invalidApiKey(apiKey: string, reason: string): Problem {
  return new Problem('invalid_api_key', `the API key ${maskApiKey(apiKey)} ${reason}`)
}

import type { AddressId, Environment } from './contract/addresses.js'
import { Problem } from './contract/errors.js'
import { type OperationId, operations } from './contract/operations.js'
import { answerCall } from './pipeline/answer.js'
import { maskApiKey, parseApiKey } from './pipeline/api-key.js'
import type { Answer, Call } from './pipeline/call.js'
import type { Host, KeyHolder } from './pipeline/host.js'
import { type Route, Router } from './pipeline/route.js'
import type { ScenarioLibrary, ScenarioSource } from './scenario/library.js'
import type { JournalEntry } from './world/journal.js'
import type { WorldSeed } from './world/seed.js'
import { World, type WorldName } from './world/world.js'

/** What the runtime gives: time, waiting, and a place for defects. */
export interface Platform {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only ever grow. */
  monotonic(): number
  sleep(ms: number): Promise<void>
  reportError(error: unknown): void
}

export interface SandboxSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  /** How many calls each world's journal keeps. */
  readonly journalCapacity: number
  /** How many worlds exist at the most; past it the longest idle leaves. */
  readonly maxWorlds: number
}

type CallListener = (entry: JournalEntry, world: World) => void

interface PlacedWorld {
  readonly world: World
  /** Counts up with each use: the smallest is the longest idle. */
  lastUse: number
}

/** The worlds of one sandbox, and which of them a key reaches. */
export class Sandbox implements Host {
  readonly #router = new Router<OperationId>(operations)
  readonly #worlds = new Map<string, PlacedWorld>()
  readonly #arriving = new Map<string, Promise<World>>()
  /** Each is made when it is first asked for. */
  readonly #initialWorlds = new Map<Environment, World>()
  readonly #listeners = new Set<CallListener>()
  #uses = 0
  /** What the initial worlds start from now. */
  #seed: WorldSeed

  /** Makes a sandbox whose initial scenario is ready. */
  static async create(settings: SandboxSettings, scenario: ScenarioSource): Promise<Sandbox> {
    return new Sandbox(settings, await settings.library.prepare(scenario))
  }

  private constructor(
    readonly settings: SandboxSettings,
    readonly initialSeed: WorldSeed,
  ) {
    this.#seed = initialSeed
  }

  /** Finds the operation of a method and a path below an address. */
  route(address: AddressId, method: string, path: string): Route<OperationId> {
    return this.#router.route(address, method, path)
  }

  /** Answers a call to one of the service's addresses. Never throws or rejects. */
  answer(call: Call, route: Route<OperationId>): Answer | Promise<Answer> {
    return answerCall(call, route, this)
  }

  initialWorld(environment: Environment): World {
    const found = this.#initialWorlds.get(environment)
    if (found) return found
    const { scenario } = this.initialSeed
    const world = this.#createWorld({ environment, scenario, label: '' }, this.#seed)
    this.#initialWorlds.set(environment, world)
    return world
  }

  /** How many worlds exist now. */
  get worldCount(): number {
    return this.#worlds.size + this.#initialWorlds.size
  }

  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder> {
    const initial = this.initialWorld(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) {
      return { world: initial, plan: listedPlan, account: () => initial.quota.account(apiKey) }
    }
    const key = parseApiKey(apiKey)
    if (!key) throw invalidApiKey(apiKey, 'is of no form that this sandbox knows')
    const { plan, scenario = this.initialSeed.scenario, label } = key
    if (plan === 'revoked') throw invalidApiKey(apiKey, 'is revoked')
    const toHolder = (world: World) => ({ world, plan, account: () => world.quota.account(plan) })
    const world = this.#findWorld({ environment, scenario, label }, apiKey)
    return world instanceof Promise ? world.then(toHolder) : toHolder(world)
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
  subscribe(listener: CallListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onCall(entry: JournalEntry, world: World): void {
    for (const listener of this.#listeners) listener(entry, world)
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
    while (this.worldCount >= this.settings.maxWorlds && this.#worlds.size > 0) {
      this.#worlds.delete(this.#findLongestIdle())
    }
    this.#uses += 1
    this.#worlds.set(id, { world, lastUse: this.#uses })
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
    const { platform, journalCapacity } = this.settings
    return new World(name, seed, { realNow: () => platform.now(), journalCapacity })
  }
}

function toId({ environment, scenario, label }: WorldName): string {
  return `${environment}/${scenario}/${label}`
}

function invalidApiKey(apiKey: string, reason: string): Problem {
  return new Problem('invalid_api_key', `the API key ${maskApiKey(apiKey)} ${reason}`)
}

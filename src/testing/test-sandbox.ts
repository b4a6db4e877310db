import type { World } from '../control/world.js'
import { splitTarget } from '../engine/message.js'
import { findRoute } from '../engine/route.js'
import type { Reservation } from '../engine/sandbox.js'
import type { AddressId, Environment } from '../service/addresses.js'
import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import type { PlanId } from '../service/plans.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { Account } from '../world/quota/account.js'
import type { ScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import { describeUnusedFaults, RemovedFaults } from './unused-faults.js'

/** Initial state of a {@link TestSandbox}. */
export interface TestSandboxSettings {
  /** Title of the test. The label of its key starts with it. */
  readonly title: string
  readonly plan: PlanId
  /** Undefined for the initial scenario of the sandbox. */
  readonly scenario: ScenarioSource | undefined
}

/** A view of a sandbox for one test: its own API key, and therefore its own worlds. */
export class TestSandbox {
  /** Production world of the key. The quickstart address uses it too. */
  readonly world: World
  /** Value of `{base_url}`, without a trailing slash. */
  readonly baseUrl: string
  /** Value of `{staging_base_url}`. */
  readonly stagingBaseUrl: string
  /** Value of `{quickstart_base_url}`. */
  readonly quickstartBaseUrl: string
  readonly #sandbox: InProcessSandbox
  readonly #toKey: (plan: PlanId) => string
  readonly #production: Reservation
  readonly #staging: Reservation
  readonly #removedFaults = new RemovedFaults()
  /** Plans of the keys of this test. */
  readonly #plans: Set<PlanId>

  private constructor(
    sandbox: InProcessSandbox,
    toKey: (plan: PlanId) => string,
    /** API key of this test. */
    readonly apiKey: string,
    /** Plan of the key. */
    readonly plan: PlanId,
    production: Reservation,
    staging: Reservation,
  ) {
    this.#sandbox = sandbox
    this.#toKey = toKey
    this.#plans = new Set([plan])
    this.#production = production
    this.#staging = staging
    this.world = this.#watch(production.open())
    this.baseUrl = toAbsoluteUrl(sandbox, 'api')
    this.stagingBaseUrl = toAbsoluteUrl(sandbox, 'staging')
    this.quickstartBaseUrl = toAbsoluteUrl(sandbox, 'quickstart')
  }

  /**
   * Creates a key and its worlds, which are not evicted until `close`.
   *
   * @throws {ScenarioError} If the scenario is unknown or invalid.
   */
  static async open(
    sandbox: InProcessSandbox,
    settings: TestSandboxSettings,
  ): Promise<TestSandbox> {
    const { title, plan, scenario } = settings
    const { core } = sandbox
    const { access, initialSeed } = core
    const seed = scenario === undefined ? initialSeed : await prepare(sandbox, scenario)
    const label = toLabel(title, core.settings.platform.randomLabel())
    const toKey = (keyPlan: PlanId) => access.issueKey(keyPlan, initialSeed.scenario, label)
    const reserve = (environment: Environment) =>
      core.reserve({ environment, scenario: initialSeed.scenario, label }, seed)
    const worlds = [reserve('production'), reserve('staging')] as const
    try {
      return new TestSandbox(sandbox, toKey, toKey(plan), plan, ...worlds)
    } catch (error) {
      for (const world of worlds) world.release()
      throw error
    }
  }

  /** Allows the eviction of the worlds. Called at the end of the test. */
  close(): void {
    this.#production.release()
    this.#staging.release()
  }

  /** Staging world of the key. Created on first use. */
  get stagingWorld(): World {
    return this.#watch(this.#staging.open())
  }

  /** Headers that a client of this test must send: `{ Authorization: 'Bearer …' }`. */
  get headers(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.apiKey}` }
  }

  /** Quota of the key in the production world: both windows and the ban. */
  get quota(): Account {
    return this.world.quota.account(this.plan)
  }

  /** Returns a key of another plan for the same worlds. It has its own quota and the same data. */
  apiKeyFor(plan: PlanId): string {
    this.#plans.add(plan)
    return this.#toKey(plan)
  }

  /**
   * Restarts both worlds with a scenario, or with several that are merged from left to right.
   *
   * @throws {ScenarioError} If a scenario is unknown or invalid. The worlds are then unchanged.
   */
  async use(...scenarios: readonly ScenarioSource[]): Promise<void> {
    const seed = await prepare(this.#sandbox, scenarios.flat())
    this.#production.start(seed)
    this.#staging.start(seed)
  }

  /**
   * Returns the staging world if it exists.
   *
   * @internal
   */
  findStagingWorld(): World | undefined {
    return this.#staging.find()
  }

  /**
   * Describes the faults that no request has triggered. Returns an empty string if there are none.
   *
   * @internal
   */
  describeUnusedFaults(): string {
    return describeUnusedFaults(this.worlds(), this.#removedFaults)
  }

  /**
   * Returns the existing worlds.
   *
   * @internal
   */
  worlds(): World[] {
    const staging = this.findStagingWorld()
    return staging ? [this.world, staging] : [this.world]
  }

  /**
   * Sends a request to the sandbox without a network or interception. A path such as `/inventory`
   * is resolved below the base URL, and `/messages` below that of the quickstart address. The key of
   * this test is sent unless there is an `Authorization` header.
   *
   * Rejects with a `TypeError` if a fault closes the connection, and with the reason of the signal
   * if it is aborted.
   */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request = new Request(isPath ? this.#resolve(input, init?.method) : input, init)
    if (!request.headers.has('Authorization')) {
      request.headers.set('Authorization', this.headers.Authorization)
    }
    return this.#sandbox.fetch(request)
  }

  /** Returns the URL of a path below the production address that has it. Default: `{base_url}`. */
  #resolve(target: string, method = 'GET'): string {
    const { path } = splitTarget(target)
    const has = (address: AddressId) => {
      const { operation, allow } = findRoute(address, method, path)
      return operation !== undefined || allow.length > 0
    }
    return `${!has('api') && has('quickstart') ? this.quickstartBaseUrl : this.baseUrl}${target}`
  }

  /** Rejects settings of accounts that no key of this test uses, and remembers unused faults. */
  #watch(world: World): World {
    world.quota.beforeSet = (id) => this.#checkAccount(world, id)
    this.#removedFaults.watch(world)
    return world
  }

  #checkAccount(world: World, id: string): void {
    if (world.planOf(id) || this.#plans.has(id as PlanId)) return // every other account is a plan
    const used = [...this.#plans, ...Object.keys(world.apiKeys).map(maskApiKey)].join(', ')
    const solution = `set sandbox.quota, or create a key first with sandbox.apiKeyFor("${id}")`
    const message = `no key of this test uses the account "${id}", only ${used}; ${solution}`
    throw new Problem('control_denied', message)
  }
}

/** @throws {ScenarioError} If the scenario is unknown or invalid. */
function prepare({ core }: InProcessSandbox, scenario: ScenarioSource): Promise<WorldSeed> {
  const { library, platform } = core.settings
  return library.prepare(scenario, platform.now(), { retains: true })
}

/** Converts a title to a label of at most 64 characters: `retries-after-a-429-4f1c09ab27de`. */
function toLabel(title: string, random: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [words.join('-').slice(0, 48), random.slice(0, 12)].filter((part) => part !== '').join('-')
}

/** Returns the URL of an address. An address on any origin gets the origin of the test page. */
function toAbsoluteUrl(sandbox: InProcessSandbox, address: AddressId): string {
  const base = sandbox.bases[address]
  if (base.origin !== undefined) return base.text
  const origin = globalThis.location?.origin ?? 'http://localhost'
  return `${origin}${base.prefix}`
}

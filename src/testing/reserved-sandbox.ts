import type { World } from '../control/world.js'
import type { Environment } from '../service/addresses.js'
import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import type { PlanId } from '../service/plans.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { JournalEntry, RecordedEntry } from '../world/journal/entry.js'
import type { ChangeKind } from '../world/listeners.js'
import type { ScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import { toWorldId, type WorldName } from '../world/world.js'
import { TestSandbox } from './test-sandbox.js'
import { describeUnusedFaults, RemovedFaults } from './unused-faults.js'

/** Initial state of a {@link ReservedSandbox}. */
export interface ReservedSandboxSettings {
  /** Title of the test. The label of its key starts with it. */
  readonly title: string
  readonly plan: PlanId
  /** Undefined for the initial scenario of the sandbox. */
  readonly scenario: ScenarioSource | undefined
  /** The requests of the test without its key. The list grows during the test. */
  readonly strays?: readonly RecordedEntry[] | undefined
}

/** The sandbox of a test that shares one with other tests: its worlds belong to the key of the test. */
export class ReservedSandbox extends TestSandbox {
  readonly #toKey: (plan: PlanId) => string
  readonly #production: WorldName
  readonly #staging: WorldName
  /** Initial state of the worlds. */
  readonly #seed: WorldSeed
  readonly #world: World
  readonly #removedFaults = new RemovedFaults()
  readonly #strays: readonly RecordedEntry[]
  /** Plans of the keys of this test. */
  readonly #plans: Set<PlanId>

  private constructor(
    sandbox: InProcessSandbox,
    toKey: (plan: PlanId) => string,
    plan: PlanId,
    seed: WorldSeed,
    strays: readonly RecordedEntry[],
    production: WorldName,
    staging: WorldName,
  ) {
    super(sandbox, toKey(plan), plan)
    this.#toKey = toKey
    this.#plans = new Set([plan])
    this.#seed = seed
    this.#strays = strays
    this.#production = production
    this.#staging = staging
    this.#world = this.#watch(sandbox.core.worlds.open(production))
  }

  /**
   * Creates a key and its worlds, which are not evicted until `close`.
   *
   * @throws {ScenarioError} If the scenario is unknown or invalid.
   */
  static async open(
    sandbox: InProcessSandbox,
    settings: ReservedSandboxSettings,
  ): Promise<ReservedSandbox> {
    const { title, plan, scenario, strays = [] } = settings
    const { core } = sandbox
    const { initialSeed } = core.worlds
    const seed = scenario === undefined ? initialSeed : await prepare(sandbox, scenario)
    const label = toLabel(title, core.settings.platform.randomLabel())
    const toKey = (keyPlan: PlanId) => core.keys.issue(keyPlan, initialSeed.scenario, label)
    const reserve = (environment: Environment) => {
      const name = { environment, scenario: initialSeed.scenario, label }
      core.worlds.reserve(name, seed)
      return name
    }
    const names = [reserve('production'), reserve('staging')] as const
    try {
      return new ReservedSandbox(sandbox, toKey, plan, seed, strays, ...names)
    } catch (error) {
      for (const name of names) core.worlds.release(name)
      throw error
    }
  }

  /** Allows the eviction of the worlds. Called at the end of the test. */
  override async close(): Promise<void> {
    this.core.worlds.release(this.#production)
    this.core.worlds.release(this.#staging)
  }

  override get world(): World {
    return this.#world
  }

  override get stagingWorld(): World {
    return this.#watch(this.core.worlds.open(this.#staging))
  }

  override apiKeyFor(plan: PlanId): string {
    this.#plans.add(plan)
    return this.#toKey(plan)
  }

  override async start(scenario: ScenarioSource): Promise<void> {
    this.#start(await prepare(this, scenario))
  }

  override reset(): void {
    this.#start(this.#seed)
  }

  override subscribe(listener: (entry: JournalEntry, world: World) => void): () => void {
    return super.subscribe((entry, world) => {
      if (this.#has(world)) listener(entry, world)
    })
  }

  override onChange(listener: (world: World, kinds: ReadonlySet<ChangeKind>) => void): () => void {
    return super.onChange((world, kinds) => {
      if (this.#has(world)) listener(world, kinds)
    })
  }

  /** Returns the staging world if it exists. */
  findStagingWorld(): World | undefined {
    return this.core.worlds.get(toWorldId(this.#staging))
  }

  /** Describes the faults that no request has triggered. Returns an empty string if there are none. */
  describeUnusedFaults(): string {
    return describeUnusedFaults(this.worlds(), this.#removedFaults)
  }

  /** Returns the existing worlds. */
  worlds(): World[] {
    const staging = this.findStagingWorld()
    return staging ? [this.world, staging] : [this.world]
  }

  #start(seed: WorldSeed): void {
    this.core.worlds.reserve(this.#production, seed)
    this.core.worlds.reserve(this.#staging, seed)
  }

  /** Whether only requests of this test reach a world. */
  #has({ name }: World): boolean {
    return name.label === this.world.name.label
  }

  /** Rejects settings of accounts that no key of this test uses, and remembers unused faults. */
  #watch(world: World): World {
    world.quota.beforeSet = (id) => this.#checkAccount(world, id)
    this.#removedFaults.watch(world)
    world.journal.strays = this.#strays
    return world
  }

  #checkAccount(world: World, id: string): void {
    if (world.planOf(id) || this.#plans.has(id as PlanId)) return // every other account is a plan
    const used = [...this.#plans, ...Object.keys(world.apiKeys).map(maskApiKey)].join(', ')
    const solution = `set sandbox.account, or create a key first with sandbox.apiKeyFor("${id}")`
    const message = `no key of this test uses the account "${id}", only ${used}; ${solution}`
    throw new Problem('control_denied', message)
  }
}

/** @throws {ScenarioError} If the scenario is unknown or invalid. */
function prepare({ core }: InProcessSandbox, scenario: ScenarioSource): Promise<WorldSeed> {
  const { library, platform } = core.settings
  return library.prepare(scenario, platform.now())
}

/** Converts a title to a label of at most 64 characters: `retries-after-a-429-4f1c09ab27de`. */
function toLabel(title: string, random: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [words.join('-').slice(0, 48), random.slice(0, 12)].filter((part) => part !== '').join('-')
}

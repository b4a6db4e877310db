import type { AddressId } from '../contract/addresses.js'
import type { PlanId } from '../contract/plans.js'
import type { World } from '../control/world.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import type { ScenarioSource } from '../scenario/library.js'

/** What one test starts from. */
export interface TestSandboxSettings {
  /** Title of the test; the label of its key begins with it. */
  readonly title: string
  readonly plan: PlanId
  /** Undefined for the scenario that the sandbox was made with. */
  readonly scenario: ScenarioSource | undefined
}

/** What one test has of a sandbox: a key of its own, and so a world that no other test reaches. */
export class TestSandbox {
  /** What `{base_url}` stands for, without a slash at its end. */
  readonly baseUrl: string
  /** What `{staging_base_url}` stands for. */
  readonly stagingBaseUrl: string
  /** What `{quickstart_base_url}` stands for. */
  readonly quickstartBaseUrl: string
  readonly #sandbox: InProcessSandbox
  readonly #toKey: (plan: PlanId) => string

  private constructor(
    sandbox: InProcessSandbox,
    toKey: (plan: PlanId) => string,
    /** The API key of this test. */
    readonly apiKey: string,
    /** The production world of the key; the quickstart address belongs to it too. */
    readonly world: World,
    /** The staging world of the key. */
    readonly stagingWorld: World,
  ) {
    this.#sandbox = sandbox
    this.#toKey = toKey
    this.baseUrl = toAbsoluteUrl(sandbox, 'api')
    this.stagingBaseUrl = toAbsoluteUrl(sandbox, 'staging')
    this.quickstartBaseUrl = toAbsoluteUrl(sandbox, 'quickstart')
  }

  /**
   * Makes a key with both of its worlds.
   *
   * @throws {ScenarioError} When the scenario is unknown or does not fit.
   */
  static async open(
    sandbox: InProcessSandbox,
    settings: TestSandboxSettings,
  ): Promise<TestSandbox> {
    const { plan, scenario } = settings
    const label = toLabel(settings.title, sandbox.core.settings.platform.randomLabel())
    const toKey = (of: PlanId) => `sbx_${of}_${sandbox.core.initialSeed.scenario}_${label}`
    const apiKey = toKey(plan)
    const world = await sandbox.worldFor(apiKey)
    const stagingWorld = await sandbox.worldFor(apiKey, 'staging')
    const opened = new TestSandbox(sandbox, toKey, apiKey, world, stagingWorld)
    if (scenario !== undefined) await opened.use(scenario)
    return opened
  }

  /** The header that a client of this test sends: `{ Authorization: 'Bearer …' }`. */
  get headers(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.apiKey}` }
  }

  /** A key of another plan to the same worlds: a quota of its own, and the same data. */
  apiKeyFor(plan: PlanId): string {
    return this.#toKey(plan)
  }

  /**
   * Starts both worlds anew from another scenario, or from several, merged from left to right.
   *
   * @throws {ScenarioError} When it does not fit; the worlds stay as they were.
   */
  async use(...scenarios: readonly ScenarioSource[]): Promise<void> {
    const scenario = scenarios.flat()
    await this.world.use(scenario)
    await this.stagingWorld.use(scenario)
  }

  /**
   * Answers a request as the global `fetch` would, without any interception. A path such as
   * `/inventory` stands below the base URL, and the key is sent unless another one is given.
   *
   * @throws {TypeError} When a fault of the scenario breaks the connection.
   */
  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request = new Request(isPath ? `${this.baseUrl}${input}` : input, init)
    if (!request.headers.has('Authorization')) {
      request.headers.set('Authorization', this.headers.Authorization)
    }
    return this.#sandbox.fetch(request)
  }
}

/** `Retries after a 429` as `retries-after-a-429-4f1c09ab`, within the 64 letters of a label. */
function toLabel(title: string, random: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [words.join('-').slice(0, 48), random.slice(0, 12)].filter((part) => part !== '').join('-')
}

/** Where an address lives; one that is on any origin is put where a page of a test would be. */
function toAbsoluteUrl(sandbox: InProcessSandbox, address: AddressId): string {
  const base = sandbox.handlers.find((handler) => handler.address === address)?.base
  if (base?.origin !== undefined) return base.text
  const origin = globalThis.location?.origin ?? 'http://localhost'
  return `${origin}${base?.prefix ?? ''}`
}

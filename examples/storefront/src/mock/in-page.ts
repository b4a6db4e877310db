import type { BrowserSandbox, ScenarioName } from 'petstore-sandbox/browser'
import { MockWorld } from './world.js'

/** The world of a sandbox in this page. */
export class LocalMockWorld extends MockWorld {
  readonly #sandbox: BrowserSandbox
  #wasRejected: boolean

  constructor(sandbox: BrowserSandbox) {
    super(sandbox.world.scenario)
    this.#sandbox = sandbox
    this.#wasRejected = this.#isRejected()
    sandbox.onChange((_world, kinds) => this.#follow(kinds))
  }

  override toApiKey(plan: string): string {
    return `sbx_${plan}`
  }

  override use(scenario: string): Promise<void> {
    // An unknown name is rejected.
    return this.#sandbox.use(scenario.split('+') as ScenarioName[])
  }

  /**
   * Reports what something else than the page has changed, such as the panel: the data, and the
   * quota or clock if the service accepts or rejects the requests of the page by it. A change such
   * as "one request left" is not reported, because the request that reads the inventory again would
   * spend it.
   */
  #follow(kinds: ReadonlySet<string>): void {
    const isRejected = this.#isRejected()
    const isAffected = isRejected || this.#wasRejected
    this.#wasRejected = isRejected
    const { world } = this.#sandbox
    const isByRequest = kinds.has('requests') || world.requests.pending().length > 0
    if (kinds.has('start')) this.start(world.scenario)
    else if (isByRequest) return
    else if (kinds.has('data')) this.change()
    else if (isAffected && (kinds.has('quota') || kinds.has('clock'))) this.change()
  }

  /** Whether the next request of a plan is rejected. */
  #isRejected(): boolean {
    const { world } = this.#sandbox
    return ['free', 'pro'].some((plan) => world.peekAccount(plan).peek().remaining === 0)
  }
}

import type { BrowserSandbox, ScenarioName } from 'petstore-sandbox/browser'
import { MockWorld } from './world.js'

/** The world of a sandbox in this page. */
export class LocalMockWorld extends MockWorld {
  readonly #sandbox: BrowserSandbox

  constructor(sandbox: BrowserSandbox) {
    super(sandbox.world.scenario)
    this.#sandbox = sandbox
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
   * Reports what something else than the page has changed, such as the panel. Faults and the quota
   * are not reported: the request that reads the inventory again would use up what is set for the
   * user.
   */
  #follow(kinds: ReadonlySet<string>): void {
    const { world } = this.#sandbox
    const isByRequest = kinds.has('requests') || world.requests.pending().length > 0
    if (kinds.has('start')) this.start(world.scenario)
    else if (isByRequest) return
    else if (kinds.has('data') || kinds.has('clock')) this.change()
  }
}

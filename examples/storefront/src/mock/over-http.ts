import { readScenario } from '../scenario-url.js'
import { MockWorld } from './world.js'

/** A world of a sandbox over HTTP. The API key names its scenario. */
export class RemoteMockWorld extends MockWorld {
  constructor() {
    super(readScenario())
  }

  override toApiKey(plan: string): string {
    return `sbx_${plan}_${this.state.scenario}`
  }

  override async use(scenario: string): Promise<void> {
    this.start(scenario)
  }
}

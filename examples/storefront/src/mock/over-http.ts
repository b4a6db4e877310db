import { connect, type RemoteWorld, type ScenarioName } from 'petstore-sandbox/connect'
import { connectPanel } from 'petstore-sandbox/devtools'
import { readScenario } from '../scenario-url.js'
import { MockWorld } from './world.js'

/**
 * The path that the server of the page forwards to the sandbox, because only pages of the same
 * origin may control it.
 */
const url = `${location.origin}/petstore`

/** Changes that the panel makes send no event. */
const pollMs = 1_000

/** A world of a sandbox over HTTP. The API key names its scenario. */
export class RemoteMockWorld extends MockWorld {
  /** The scenario in the API key. */
  #named = readScenario()
  #remote: Promise<RemoteWorld>
  #generation: number | undefined

  constructor() {
    super(readScenario())
    this.#remote = this.#connect()
    setInterval(() => void this.#follow().catch(() => {}), pollMs)
  }

  override toApiKey(plan: string): string {
    return `sbx_${plan}_${this.#named}`
  }

  override async use(scenario: string): Promise<void> {
    this.#named = scenario
    this.#generation = undefined
    this.#remote = this.#connect()
    await this.#restart(scenario).catch(() => {}) // The page shows what the service responds.
    this.start(scenario)
  }

  #connect(): Promise<RemoteWorld> {
    const apiKey = this.toApiKey('free')
    connectPanel({ url, apiKey })
    const remote = connect({ url, apiKey })
    remote.catch(() => {}) // Handled where it is awaited.
    return remote
  }

  /** Restarts the world if another scenario was selected in it, such as in the panel. */
  async #restart(scenario: string): Promise<void> {
    const remote = await this.#remote
    if ((await remote.scenario) === scenario) return
    await remote.use(scenario as ScenarioName) // An unknown name is rejected.
  }

  /** Reports that the world started anew. The page learns of other changes with its next request. */
  async #follow(): Promise<void> {
    const connected = this.#remote
    const { scenario, generation } = await (await connected).control.getOverview()
    if (connected !== this.#remote) return
    const hasStarted =
      scenario !== this.state.scenario || generation !== (this.#generation ?? generation)
    this.#generation = generation
    if (hasStarted) this.start(scenario)
  }
}

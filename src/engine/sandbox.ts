import { type AccessSettings, openAccess } from '../control/access.js'
import type { ControlledSandbox } from '../control/operation.js'
import type { World } from '../control/world.js'
import type { Problem } from '../service/errors.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import { Listeners, WorldChanges } from '../world/listeners.js'
import type { AnyScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import type { Client } from './client.js'
import { type KeyHolder, Keys } from './keys.js'
import type { Eviction } from './registry.js'
import type { SandboxSettings } from './settings.js'
import { Worlds } from './worlds.js'

/** One sandbox: its worlds, its access rules, and the listeners for its events. */
export class Sandbox implements ControlledSandbox {
  readonly access: AccessSettings
  readonly worlds: Worlds
  readonly keys: Keys
  /**
   * Called after each response of the service with the entry, the world, the holder of the key
   * (undefined without a valid key) and the client (undefined in process). The id of an entry is 0 if
   * it is in no journal.
   */
  readonly requests: Listeners<
    [entry: RecordedEntry, world: World, holder: KeyHolder | undefined, client: Client | undefined]
  >
  /** Called after each eviction of a world. */
  readonly evictions: Listeners<[eviction: Eviction]>
  /** Called with the problem of each request that is rejected to protect the sandbox. */
  readonly rejections: Listeners<[problem: Problem]>
  /** Called after something has changed a world, once per turn of the event loop and world. */
  readonly changes: WorldChanges<World>
  /** Number of ids that `createRequestId` has created. */
  #requestCount = 0

  /**
   * Creates a sandbox.
   *
   * @throws {ScenarioError} If the initial scenario is invalid.
   */
  static async create(settings: SandboxSettings, scenario: AnyScenarioSource): Promise<Sandbox> {
    const { library, platform } = settings
    const sandbox = new Sandbox(settings, await library.prepare(scenario, platform.now()))
    await sandbox.worlds.load()
    return sandbox
  }

  private constructor(
    readonly settings: SandboxSettings,
    initialSeed: WorldSeed,
  ) {
    const { reportError } = settings.platform
    this.access = settings.access ?? openAccess
    this.requests = new Listeners(reportError)
    this.evictions = new Listeners(reportError)
    this.rejections = new Listeners(reportError)
    this.changes = new WorldChanges(reportError)
    this.worlds = new Worlds(
      settings,
      this.changes,
      this.evictions,
      () => this.keys.clear(),
      initialSeed,
    )
    this.keys = new Keys(settings, this.access, this.worlds)
  }

  /** Ends the delays in the time of a world, stores all changes and closes the store. */
  async close(): Promise<void> {
    this.worlds.endDelays()
    await this.worlds.stored?.close(this.worlds.all())
  }

  /** Creates the id of a request that is in no journal. */
  createRequestId(): string {
    this.#requestCount += 1
    return `${this.settings.platform.instance ?? 'local'}-${this.#requestCount}`
  }
}

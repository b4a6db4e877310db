import type { World } from '../control/world.js'
import type { Environment } from '../service/addresses.js'
import { apiKeyForm, maskApiKey, maximumJoined, parseApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import type { PlanId } from '../service/plans.js'
import { truncate } from '../service/validation/message.js'
import { suggestName } from '../service/validation/nearest-name.js'
import { ScenarioError } from '../world/scenario/error.js'
import type { WorldSeed } from '../world/seed.js'
import type { ListedKeys, WorldName } from '../world/world.js'
import type { Access } from './access.js'
import type { Client } from './client.js'
import { createKeyHolder, type KeyHolder } from './key-holder.js'
import type { SandboxSettings } from './settings.js'
import type { Worlds } from './worlds.js'

/** Maximum number of cached keys per environment. Beyond it, the cache is cleared. */
const maximumKeys = 10_000

/** Number of characters of an unknown scenario that a message shows. */
const shownScenario = 20

const sharedListing =
  'is listed by several tests that run at the same time; give each a key of its own'

/** Finds the worlds of API keys. */
export class Keys {
  /** The holders of keys, so that only the first request of a key parses it. */
  readonly #holders: Readonly<Record<Environment, Map<string, KeyHolder>>> = {
    production: new Map(),
    staging: new Map(),
  }

  constructor(
    readonly settings: Pick<SandboxSettings, 'library' | 'platform'>,
    readonly access: Access,
    readonly worlds: Worlds,
  ) {}

  /**
   * Returns the holder of a key in an environment. Creates the world if it does not exist yet.
   *
   * @param client The client that uses the key; undefined in process.
   * @throws {Problem} invalid_api_key or sandbox_capacity, as a rejection.
   */
  async identify(apiKey: string, environment: Environment, client?: Client): Promise<KeyHolder> {
    const { worlds } = this
    const reserved = worlds.reserved.size > 0 && this.#identifyReserved(apiKey, environment)
    const found = reserved || this.#holders[environment].get(apiKey)
    if (found) {
      worlds.registry.use(found.world, client)
      return found
    }
    const initial = worlds.initial(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) return createKeyHolder(apiKey, listedPlan, apiKey, initial)
    const { plan, name } = this.#parse(apiKey, environment)
    const world = await worlds.find(name, client, (charged) =>
      this.#prepareSeed(apiKey, name, charged),
    )
    const holder = createKeyHolder(apiKey, plan, plan, world)
    this.#cache(apiKey, holder)
    return holder
  }

  /**
   * Returns the holder of a key that the scenario of a reserved world lists.
   *
   * @throws {Problem} invalid_api_key, if several reserved worlds list the key.
   */
  #identifyReserved(apiKey: string, environment: Environment): KeyHolder | undefined {
    let holder: KeyHolder | undefined
    for (const reservation of this.worlds.reserved.values()) {
      const { name, seed } = reservation
      const apiKeys = reservation.find()?.apiKeys ?? seed.apiKeys
      const plan = Object.hasOwn(apiKeys, apiKey) ? apiKeys[apiKey] : undefined
      if (plan === undefined || name.environment !== environment) continue
      if (holder) throw createInvalidKeyProblem(apiKey, sharedListing)
      holder = createKeyHolder(apiKey, plan, apiKey, reservation.open())
    }
    return holder
  }

  #cache(apiKey: string, holder: KeyHolder): void {
    const { world } = holder
    const holders = this.#holders[world.name.environment]
    if (holders.size >= maximumKeys) holders.clear()
    // A reset may have discarded the world meanwhile.
    if (this.worlds.addKey(world, apiKey)) holders.set(apiKey, holder)
  }

  /** Removes the holders of keys, whose world is discarded. */
  forget(environment: Environment, apiKeys: readonly string[]): void {
    for (const apiKey of apiKeys) this.#holders[environment].delete(apiKey)
  }

  /** Called when keys may reach other worlds, because the initial scenario has changed. */
  clear(): void {
    for (const holders of Object.values(this.#holders)) holders.clear()
  }

  /**
   * Parses an API key of the form `sbx_<plan>[_<scenario>[_<label>]]`.
   *
   * @throws {Problem} `invalid_api_key` if the key has another form, is revoked, or was not issued by
   * a sandbox with a key secret.
   */
  #parse(apiKey: string, environment: Environment): { plan: PlanId; name: WorldName } {
    const key = parseApiKey(apiKey)
    if (!key) throw createInvalidKeyProblem(apiKey, `must be ${apiKeyForm}`)
    const { plan, scenario = this.worlds.initialSeed.scenario } = key
    if (plan === 'revoked') throw createInvalidKeyProblem(apiKey, 'is revoked')
    const label = this.access.readLabel(key)
    if (label !== undefined) return { plan, name: { environment, scenario, label } }
    const reason = 'has a label, but was not issued by this sandbox'
    throw createInvalidKeyProblem(apiKey, `${reason}; ${this.access.howToGetKey}`)
  }

  /**
   * Prepares the scenarios that a key names.
   *
   * @param client The client that preparing several scenarios is charged to.
   * @throws {Problem} invalid_api_key, or sandbox_capacity.
   */
  async #prepareSeed(
    apiKey: string,
    { scenario }: WorldName,
    client: Client | undefined,
  ): Promise<WorldSeed> {
    const { library, platform } = this.settings
    const names = scenario.split('+')
    if (names.length > maximumJoined) {
      const reason = `joins ${names.length} scenarios with +, and a key joins at most ${maximumJoined}; PUT /sandbox/scenario merges more`
      throw createInvalidKeyProblem(apiKey, reason)
    }
    const unknown = names.find((name) => !library.has(name))
    if (unknown !== undefined) {
      // The name may be a label with its signature.
      const shown = truncate(unknown, shownScenario)
      const reason = `names the unknown scenario "${shown}"${suggestName(unknown, library.names())}`
      throw createInvalidKeyProblem(apiKey, reason)
    }
    if (names.length === 1) return library.prepare(scenario, platform.now())
    // The library does not retain the result: each world prepares it, as PUT /sandbox/scenario does.
    client?.chargeControlRequest()
    return library.prepare(names, platform.now()).catch((error: unknown) => {
      if (!(error instanceof ScenarioError)) throw error
      const reason = `joins scenarios that do not merge: ${error.problems[0]}`
      throw createInvalidKeyProblem(apiKey, reason)
    })
  }

  /**
   * Returns one of the keys that the world does not list, but another world of its environment does.
   * Returns undefined if there is none.
   */
  findClaimed(world: World, apiKeys: readonly string[]): string | undefined {
    const { environment } = world.name
    // Most worlds share the keys of their scenario.
    const others = new Set<ListedKeys>()
    for (const { name, seed, ownKeys } of this.worlds.all()) {
      if (name.environment === environment) others.add(seed.apiKeys).add(ownKeys)
    }
    const lists = (listed: ListedKeys, apiKey: string) => Object.hasOwn(listed, apiKey)
    return apiKeys.find((apiKey) => {
      if (lists(world.seed.apiKeys, apiKey) || lists(world.ownKeys, apiKey)) return false
      return [...others].some((listed) => lists(listed, apiKey))
    })
  }
}

function createInvalidKeyProblem(apiKey: string, reason: string): Problem {
  return new Problem('invalid_api_key', `the API key ${maskApiKey(apiKey)} ${reason}`)
}

import { type AccessSettings, howToGetKey } from '../control/access.js'
import type { World } from '../control/world.js'
import type { Environment } from '../service/addresses.js'
import {
  apiKeyForm,
  formatKey,
  issueKey,
  maskApiKey,
  maximumJoined,
  parseApiKey,
  readLabel,
} from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { type PlanId, plans } from '../service/plans.js'
import { truncate } from '../service/validation/message.js'
import { suggestName } from '../service/validation/nearest-name.js'
import { describeValue } from '../service/validation/validate.js'
import { ScenarioError } from '../world/scenario/error.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName } from '../world/world.js'
import type { Client } from './client.js'
import type { SandboxSettings } from './settings.js'
import type { Worlds } from './worlds.js'

/** A valid key with its world, its plan and its account. */
export interface KeyHolder {
  readonly maskedKey: string
  /** Explanation of the key for the journal. */
  readonly description: string
  readonly world: World
  readonly plan: PlanId
  /** The account of the key in its world: its plan, or the key itself if the scenario lists it. */
  readonly accountId: string
  /** Real time in milliseconds since the epoch from which the key is rejected. Undefined: never. */
  readonly expiresMs?: number | undefined
}

/**
 * Checks a listed key again before a step: its world may have started anew since the key was found.
 *
 * @throws {Problem} invalid_api_key, if the world does not list the key any more.
 */
export function checkListed({ world, accountId }: KeyHolder): void {
  if (world.planOf(accountId)) return
  throw createInvalidKeyProblem(accountId, 'is not listed any more')
}

/** The value of an Authorization header, with the key. */
export const bearer = /^Bearer ([\x21-\x7e]+)$/
const knownScheme = /^(bearer|basic|digest|token|apikey)$/i

function createMissingKeyProblem(header: string): Problem {
  const wanted = 'the Authorization header must be "Bearer <API_KEY>"'
  if (header === '') return new Problem('missing_api_key', `${wanted}, found none`)
  // Masks the first word unless it is a known scheme, and omits the rest, because both may be secret.
  const [word = ''] = header.split(' ', 1)
  const shown = knownScheme.test(word) ? word : maskApiKey(word)
  const found = `${describeValue(shown)} and ${header.length - word.length} more characters`
  return new Problem('missing_api_key', `${wanted} with one space, found ${found}`)
}

/** Maximum number of cached keys. Beyond it, the cache is cleared. */
const maximumKeys = 10_000

/** Number of characters of an unknown scenario that a message shows. */
const shownScenario = 20

const sharedListing =
  'is listed by several tests that run at the same time; give each a key of its own'

/** Finds the worlds of API keys. */
export class Keys {
  /** By environment and key, so that only the first request of a key parses it. */
  readonly #holders = new Map<string, KeyHolder>()

  constructor(
    readonly settings: SandboxSettings,
    readonly access: AccessSettings,
    readonly worlds: Worlds,
  ) {}

  /**
   * Identifies the client of a request (spec §5).
   *
   * @param header The value of its Authorization header; empty for none.
   * @param client Undefined in process.
   * @throws {Problem} missing_api_key if the header is not `Bearer <API_KEY>`, invalid_api_key, or
   * sandbox_capacity, as a rejection.
   */
  async identify(header: string, environment: Environment, client?: Client): Promise<KeyHolder> {
    const [, apiKey] = bearer.exec(header) ?? []
    if (apiKey === undefined) throw createMissingKeyProblem(header)
    return this.find(apiKey, environment, client)
  }

  /**
   * Returns the holder of a key in an environment. Creates the world if it does not exist yet.
   *
   * @throws {Problem} invalid_api_key or sandbox_capacity, as a rejection.
   */
  async find(apiKey: string, environment: Environment, client?: Client): Promise<KeyHolder> {
    const { worlds } = this
    const reserved = worlds.reserved.size > 0 && this.#findReserved(apiKey, environment)
    const found = reserved || this.#holders.get(`${environment} ${apiKey}`)
    if (found) {
      if (found.expiresMs !== undefined) this.#checkExpiry(apiKey, found.expiresMs)
      worlds.markUsed(found.world, client)
      return found
    }
    const initial = worlds.initial(environment)
    const listedPlan = initial.planOf(apiKey)
    if (listedPlan) return createKeyHolder(apiKey, listedPlan, apiKey, initial)
    const { plan, name, expiresMs } = this.#parse(apiKey, environment)
    const prepare = () => this.#prepareSeed(apiKey, name.scenario, client)
    const world = await worlds.find(name, client, prepare)
    const holder = { ...createKeyHolder(apiKey, plan, plan, world), expiresMs }
    if (this.#holders.size >= maximumKeys) this.clear()
    // A reset may have discarded the world meanwhile.
    if (worlds.has(world)) this.#holders.set(`${environment} ${apiKey}`, holder)
    return holder
  }

  /**
   * Returns the holder of a key that the scenario of a reserved world lists.
   *
   * @throws {Problem} invalid_api_key, if several reserved worlds list the key.
   */
  #findReserved(apiKey: string, environment: Environment): KeyHolder | undefined {
    let holder: KeyHolder | undefined
    for (const [id, { name, seed }] of this.worlds.reserved) {
      const { apiKeys } = this.worlds.get(id) ?? seed
      const plan = Object.hasOwn(apiKeys, apiKey) ? apiKeys[apiKey] : undefined
      if (plan === undefined || name.environment !== environment) continue
      if (holder) throw createInvalidKeyProblem(apiKey, sharedListing)
      holder = createKeyHolder(apiKey, plan, apiKey, this.worlds.open(name))
    }
    return holder
  }

  /**
   * Creates a key. Default: of the initial scenario, with a random label.
   *
   * @param expiresMs Has an effect only if this sandbox signs its keys.
   */
  issue(
    plan: PlanId,
    scenario = this.worlds.initialSeed.scenario,
    label = this.settings.platform.randomLabel(),
    expiresMs?: number,
  ): string {
    const { signer } = this.access
    if (!signer) return formatKey(plan, scenario, label)
    return issueKey(signer, plan, scenario, label, expiresMs)
  }

  /** Called when cached keys may reach other worlds. */
  clear(): void {
    this.#holders.clear()
  }

  /**
   * Parses an API key of the form `sbx_<plan>[_<scenario>[_<label>]]`.
   *
   * @throws {Problem} `invalid_api_key` if the key has another form, is revoked, has expired, or was not
   * issued by a sandbox with a key secret.
   */
  #parse(apiKey: string, environment: Environment): ParsedKey {
    const key = parseApiKey(apiKey)
    if (!key) throw createInvalidKeyProblem(apiKey, `must be ${apiKeyForm}`)
    const { plan, scenario = this.worlds.initialSeed.scenario } = key
    if (plan === 'revoked') throw createInvalidKeyProblem(apiKey, 'is revoked')
    const { access } = this
    const read = readLabel(access.signer, key)
    if (!read) {
      const reason = 'has a label, but was not issued by this sandbox'
      throw createInvalidKeyProblem(apiKey, `${reason}; ${howToGetKey(access)}`)
    }
    const { label, expiresMs } = read
    if (expiresMs !== undefined) this.#checkExpiry(apiKey, expiresMs)
    return { plan, name: { environment, scenario, label }, expiresMs }
  }

  /** @throws {Problem} invalid_api_key, if the key has expired. */
  #checkExpiry(apiKey: string, expiresMs: number): void {
    const { access, settings } = this
    if (settings.platform.now() < expiresMs) return
    const time = new Date(expiresMs).toISOString()
    throw createInvalidKeyProblem(apiKey, `expired at ${time}; ${howToGetKey(access)}`)
  }

  /**
   * Prepares the scenarios that a key names.
   *
   * @param client The client to which the preparation of several scenarios is charged.
   * @throws {Problem} invalid_api_key, or sandbox_capacity.
   */
  async #prepareSeed(apiKey: string, scenario: string, client?: Client): Promise<WorldSeed> {
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
    const prepare = () => library.prepare(names, platform.now())
    return (client ? client.prepare(prepare) : prepare()).catch((error: unknown) => {
      if (!(error instanceof ScenarioError)) throw error
      const reason = `joins scenarios that do not merge: ${error.problems[0]}`
      throw createInvalidKeyProblem(apiKey, reason)
    })
  }
}

interface ParsedKey {
  readonly plan: PlanId
  readonly name: WorldName
  readonly expiresMs: number | undefined
}

function createKeyHolder(apiKey: string, plan: PlanId, accountId: string, world: World): KeyHolder {
  const { environment, scenario, label } = world.name
  // Plan, scenario and label together are the whole key. Therefore a long label is not shown.
  const place = label === '' ? scenario : `${scenario}/${truncate(label, shownLabel)}`
  const maskedKey = maskApiKey(apiKey)
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  const description = [
    `key ${maskedKey} is on plan ${plans[plan].title}`,
    `world ${environment}/${place}`,
  ].join(', ')
  return { world, plan, accountId, maskedKey, description }
}

const shownLabel = 8

function createInvalidKeyProblem(apiKey: string, reason: string): Problem {
  return new Problem('invalid_api_key', `the API key ${maskApiKey(apiKey)} ${reason}`)
}

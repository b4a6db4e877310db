import { type PlanId, plans } from '../../contract/plans.js'
import type { WorldSeed } from '../seed.js'
import { Account, toStartedBan } from './account.js'
import { type AccountSettings, dropNotStarted } from './schema.js'

/**
 * The accounts of a world: one for each plan, which its `sbx_<plan>…` keys share, and one for each
 * key that the scenario lists under `apiKeys`.
 */
export class Accounts {
  readonly #accounts = new Map<string, Account>()
  readonly #now: () => number
  #seed: WorldSeed
  /** Initial settings by account id or `*`, for accounts that are not created yet. */
  #initial: Readonly<Record<string, AccountSettings>> = {}

  /** @param now Time of the world, in milliseconds since the epoch. */
  constructor(seed: WorldSeed, now: () => number) {
    this.#seed = seed
    this.#now = now
  }

  /**
   * Discards all accounts and starts from the quota of a scenario.
   *
   * @param startMs Start of the world, in milliseconds since the epoch.
   */
  start(seed: WorldSeed, startMs: number): void {
    this.#seed = seed
    this.#accounts.clear()
    this.#initial = mapValues(seed.quota, (settings) => toStartedBan(settings, startMs))
  }

  /**
   * Returns the account of a plan, or of a key that the scenario lists under `apiKeys`.
   *
   * @throws {RangeError} If there is no such plan or key.
   */
  account(id: string): Account {
    const found = this.#accounts.get(id)
    if (found) return found
    const account = this.#create(id)
    this.#accounts.set(id, account)
    return account
  }

  /**
   * Returns a copy of an account. Changes to it do not affect the world.
   *
   * @throws {RangeError} If there is no such plan or key.
   */
  copy(id: string): Account {
    return this.#accounts.get(id)?.copy() ?? this.#create(id)
  }

  /** Returns the quota of every key as a scenario states it. */
  toSettings(): Record<string, AccountSettings> {
    const nowMs = this.#now()
    const settings = mapValues(this.#initial, (initial) => dropNotStarted(initial, nowMs))
    for (const [id, account] of this.#accounts) settings[id] = account.toSettings()
    return settings
  }

  /** Ends windows and bans that start after the current time. Runs when the clock moves back. */
  dropNotStarted(): void {
    const nowMs = this.#now()
    this.#initial = mapValues(this.#initial, (settings) => dropNotStarted(settings, nowMs))
    for (const account of this.#accounts.values()) account.dropNotStarted()
  }

  #create(id: string): Account {
    const plan = this.#findPlan(id)
    const options = {
      plan,
      limits: this.#seed.plans[plan],
      banRule: this.#seed.rules.ban,
      now: this.#now,
    }
    const initial = Object.hasOwn(this.#initial, id) ? this.#initial[id] : this.#initial['*']
    return new Account(options, initial)
  }

  #findPlan(id: string): PlanId {
    if (Object.hasOwn(plans, id)) return id as PlanId // an own key of the table is a PlanId
    const { apiKeys } = this.#seed
    const plan = Object.hasOwn(apiKeys, id) ? apiKeys[id] : undefined
    if (plan) return plan
    const wanted = 'the id of an account must be a plan or a key that the scenario lists'
    throw new RangeError(`${wanted}, found ${JSON.stringify(id)}`)
  }
}

function mapValues(
  record: Readonly<Record<string, AccountSettings>>,
  map: (settings: AccountSettings) => AccountSettings,
): Record<string, AccountSettings> {
  return Object.fromEntries(Object.entries(record).map(([id, settings]) => [id, map(settings)]))
}

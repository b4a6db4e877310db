import { type PlanId, plans } from '../../service/plans.js'
import type { WorldSeed } from '../seed.js'
import { Account } from './account.js'
import {
  type AccountSettings,
  type AccountState,
  dropNotStarted,
  toStartedBan,
} from './settings.js'

/**
 * The accounts of a world: one for each plan, which its `sbx_<plan>…` keys share, and one for each
 * key that the scenario lists under `apiKeys`.
 */
export class Accounts {
  readonly #accounts = new Map<string, Account>()
  readonly #now: () => number
  readonly #planOf: (apiKey: string) => PlanId | undefined
  readonly #afterSet: () => void
  #seed: WorldSeed
  #startMs = 0
  /** Called with the id of an account before it is set. May throw to reject it. */
  beforeSet: ((id: string) => void) | undefined
  /** Earliest time to which the clock moved back since the start, in ms since the epoch. */
  earliestMs = Infinity
  /** The accounts that were used since `track`, and the state of each before; undefined if it is new. */
  #used: Map<string, AccountState | undefined> | undefined

  /**
   * @param now Time of the world, in milliseconds since the epoch.
   * @param planOf Returns the plan of a listed key.
   * @param afterSet Called after an account was set.
   */
  constructor(
    seed: WorldSeed,
    now: () => number,
    planOf: (apiKey: string) => PlanId | undefined,
    afterSet: () => void = () => {},
  ) {
    this.#afterSet = afterSet
    this.#seed = seed
    this.#now = now
    this.#planOf = planOf
  }

  /**
   * Discards all accounts and starts from the quota of a scenario. Takes constant time.
   *
   * @param startMs Start of the world, in milliseconds since the epoch.
   */
  start(seed: WorldSeed, startMs: number): void {
    this.#seed = seed
    this.#accounts.clear()
    this.#startMs = startMs
    this.earliestMs = Infinity
    this.#used?.clear()
  }

  /** Remembers from now on the accounts that are used. Forgets those of earlier calls. */
  track(): void {
    this.#used = new Map()
  }

  /** Number of accounts that were used since `track`. */
  get usedCount(): number {
    return this.#used?.size ?? 0
  }

  /** Returns the accounts that were used since `track`, or all. */
  save(scope: 'used' | 'all'): Record<string, AccountState> {
    const accounts: Record<string, AccountState> = {}
    for (const [id, account] of this.#accounts) {
      if (scope === 'all' || this.#used?.has(id)) accounts[id] = account.save()
    }
    return accounts
  }

  /** Replaces the given accounts. The others keep their state. */
  restore(accounts: Readonly<Record<string, AccountState>>): void {
    for (const [id, state] of Object.entries(accounts)) this.account(id).restore(state)
  }

  /** Restores the accounts that were used since `track`. */
  undo(): void {
    for (const [id, state] of this.#used ?? []) {
      if (state) this.#accounts.get(id)?.restore(state)
      else this.#accounts.delete(id)
    }
  }

  /**
   * Returns the account of a plan, or of a key that the scenario lists under `apiKeys`.
   *
   * @throws {RangeError} If there is no such plan or key.
   */
  account(id: string): Account {
    const found = this.#accounts.get(id)
    const account = found ?? this.#create(id)
    if (!found) this.#accounts.set(id, account)
    if (this.#used && !this.#used.has(id)) this.#used.set(id, found?.save())
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

  /** Returns the quota of every key in the form of a scenario. */
  toSettings(): Record<string, AccountSettings> {
    const settings: Record<string, AccountSettings> = {}
    for (const [id, initial] of Object.entries(this.#seed.quota)) {
      settings[id] = dropNotStarted(this.#toInitial(initial), this.#now())
    }
    for (const [id, account] of this.#accounts) settings[id] = account.toSettings()
    return settings
  }

  /** Ends windows and bans that start after the current time. Called after the clock moved back. */
  dropNotStarted(): void {
    this.earliestMs = Math.min(this.earliestMs, this.#now())
    for (const id of this.#accounts.keys()) this.account(id).dropNotStarted()
  }

  #create(id: string): Account {
    const plan = this.#findPlan(id)
    const { plans: limits, rules, quota } = this.#seed
    const initial = Object.hasOwn(quota, id) ? quota[id] : quota['*']
    const options = {
      plan,
      limits: limits[plan],
      banRule: rules.ban,
      now: this.#now,
      beforeSet: () => this.beforeSet?.(id),
      afterSet: this.#afterSet,
    }
    return new Account(options, initial && this.#toInitial(initial))
  }

  /** Returns the settings of the scenario for an account that is not created yet. */
  #toInitial(settings: AccountSettings): AccountSettings {
    return dropNotStarted(toStartedBan(settings, this.#startMs), this.earliestMs)
  }

  #findPlan(id: string): PlanId {
    if (Object.hasOwn(plans, id)) return id as PlanId // an own key of the table is a PlanId
    const plan = this.#planOf(id)
    if (plan) return plan
    const wanted = 'the id of an account must be a plan or a key that the scenario lists'
    throw new RangeError(`${wanted}, found ${JSON.stringify(id)}`)
  }
}

import { type PlanId, plans } from '../../contract/plans.js'
import type { WorldSeed } from '../seed.js'
import { Account, type AccountSettings } from './account.js'

/**
 * The accounts of a world: one for each plan, which is the account of its `sbx_<plan>…` key, and
 * one for each further key of the scenario.
 */
export class Accounts {
  readonly #accounts = new Map<string, Account>()

  constructor(
    readonly seed: () => WorldSeed,
    readonly now: () => number,
  ) {}

  /**
   * The account of a plan, or of a key that the scenario lists under `apiKeys`.
   *
   * @throws {RangeError} When there is no such plan and no such key.
   */
  account(id: string): Account {
    const found = this.#accounts.get(id)
    if (found) return found
    const seed = this.seed()
    const plan = toPlan(id, seed)
    const account = new Account(plan, seed.plans[plan], seed.rules.ban)
    account.set(seed.quota[id] ?? seed.quota['*'] ?? {})
    this.#accounts.set(id, account)
    return account
  }

  /** The quota of every key as a scenario would write it now. */
  toSettings(): Record<string, AccountSettings> {
    const settings: Record<string, AccountSettings> = { ...this.seed().quota }
    for (const [id, account] of this.#accounts) settings[id] = account.toSettings()
    return settings
  }

  /** Forgets what was charged: each account starts again as the scenario says. */
  clear(): void {
    this.#accounts.clear()
  }
}

function toPlan(id: string, seed: WorldSeed): PlanId {
  if (Object.hasOwn(plans, id)) return id as PlanId // the check in front says so
  const plan = Object.hasOwn(seed.apiKeys, id) ? seed.apiKeys[id] : undefined
  if (plan) return plan
  throw new RangeError(`an account is a plan or a key of the scenario, found ${JSON.stringify(id)}`)
}

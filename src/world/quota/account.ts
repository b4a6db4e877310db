import { Problem } from '../../service/errors.js'
import { type PlanId, type PlanLimits, plans } from '../../service/plans.js'
import { toTimestamp } from '../../service/timestamp.js'
import { readValue } from '../../service/validation/validate.js'
import type { WorldSeed } from '../seed.js'
import {
  type AccountSettings,
  accountSchema,
  dropNotStarted,
  findLateTimes,
  toStartedBan,
  type WindowName,
} from './schema.js'
import { RateLimitWindow, type WindowState } from './window.js'

/** The rate limit of a key as its response headers describe it. Times are ms since the epoch. */
export interface RateLimitStatus {
  /** The window that the headers describe (A07). */
  readonly window: WindowName
  readonly limit: number
  /** 0 when the request is rejected. */
  readonly remaining: number
  /** Never earlier than `retryAtMs`. */
  readonly resetsAtMs: number
  /** Undefined when the request is admitted. */
  readonly rejection?: 'rate_limit_exceeded' | 'api_key_banned'
  /** The earliest time at which a request can be admitted. */
  readonly retryAtMs: number
}

/** When a key is banned, and for how long (A08). */
export interface BanRule {
  /** Number of rejected requests in one window. */
  readonly rejections: number
  readonly seconds: number
}

export interface AccountOptions {
  readonly plan: PlanId
  readonly limits: PlanLimits
  readonly banRule: BanRule
  /** Time of the world, in milliseconds since the epoch. */
  readonly now: () => number
  /** Called before `set`. May throw to reject it. */
  readonly beforeSet?: () => void
  /** Called after `set`. */
  readonly afterSet?: () => void
}

interface Ban {
  readonly sinceMs: number
  readonly untilMs: number
}

/** The state of an account, as JSON can represent it. Times are ms since the epoch. */
export interface AccountState {
  readonly minute: WindowState
  readonly day: WindowState
  /** A ban without a start has always applied. */
  readonly ban?: { readonly sinceMs: number | null; readonly untilMs: number } | undefined
  readonly pendingBanSeconds?: number | undefined
}

/** The quota of one key in one world: its two windows and its ban. */
export class Account {
  readonly plan: PlanId
  readonly minute: RateLimitWindow
  readonly day: RateLimitWindow
  readonly banRule: BanRule
  readonly #now: () => number
  readonly #beforeSet: (() => void) | undefined
  readonly #afterSet: (() => void) | undefined
  #ban: Ban | undefined
  /** Length of a ban that starts with the next request of the key. */
  #pendingBanSeconds: number | undefined

  /** @param settings Initial state, as in a scenario or from `toSettings`. */
  constructor(options: AccountOptions, settings: AccountSettings = {}) {
    const { plan, limits, banRule, now, beforeSet, afterSet } = options
    this.plan = plan
    this.minute = new RateLimitWindow('minute', limits.requestsPerMinute)
    this.day = new RateLimitWindow('day', limits.requestsPerDay)
    this.banRule = banRule
    this.#now = now
    this.#beforeSet = beforeSet
    this.#afterSet = afterSet
    this.#assign(settings)
  }

  /** Charges one request to both windows. A rejected request is not charged. */
  charge(nowMs = this.#now()): RateLimitStatus {
    const rejection = this.admit(nowMs)
    if (rejection === 'api_key_banned') return this.#describeBan(nowMs)
    const status = this.#describe(nowMs)
    return rejection === undefined ? status : { ...status, rejection }
  }

  /** Charges one request like `charge`. Returns only why it is rejected; undefined if it is not. */
  admit(nowMs: number): RateLimitStatus['rejection'] {
    this.minute.open(nowMs)
    this.day.open(nowMs)
    this.#startPendingBan(nowMs)
    if (this.isBanned(nowMs)) return 'api_key_banned'
    const exhausted = this.#exhaustedWindow()
    if (exhausted) return this.#reject(exhausted, nowMs)
    this.minute.used += 1
    this.day.used += 1
    return undefined
  }

  /** Returns the status without charging a request or opening a window. */
  peek(nowMs = this.#now()): RateLimitStatus {
    const copy = this.copy()
    copy.minute.open(nowMs)
    copy.day.open(nowMs)
    copy.#startPendingBan(nowMs)
    return copy.isBanned(nowMs) ? copy.#describeBan(nowMs) : copy.#describe(nowMs)
  }

  /** Whether the key is banned at a time in milliseconds since the epoch. */
  isBanned(nowMs = this.#now()): boolean {
    return this.bannedUntilMs(nowMs) !== undefined
  }

  /** Returns the end of the ban in milliseconds since the epoch; undefined if not banned. */
  bannedUntilMs(nowMs = this.#now()): number | undefined {
    const ban = this.#ban
    return ban && ban.sinceMs <= nowMs && nowMs < ban.untilMs ? ban.untilMs : undefined
  }

  /** Whether a ban starts with the next request of the key. */
  get hasPendingBan(): boolean {
    return this.#pendingBanSeconds !== undefined
  }

  /**
   * Sets the given fields; the others keep their values. First clears windows that have ended. A
   * ban of `seconds` starts now. `ban: null` lifts the ban.
   *
   * @throws {Problem} `invalid_field` or `missing_field`; the account keeps its state.
   */
  set(input: AccountSettings): void {
    this.#beforeSet?.()
    const settings = readValue(accountSchema(), input, 'the quota')
    const nowMs = this.#now()
    const problems = findLateTimes(settings, nowMs)
    if (problems.length > 0) throw new Problem('invalid_field', problems.join('; '))
    this.minute.close(nowMs)
    this.day.close(nowMs)
    this.#assign(toStartedBan(settings, nowMs))
    if (settings.ban) this.#startPendingBan(nowMs)
    this.#afterSet?.()
  }

  /** Ends windows and bans that start after the current time. Called after the clock moved back. */
  dropNotStarted(): void {
    const nowMs = this.#now()
    if (this.minute.isAhead(nowMs)) this.minute.close(nowMs)
    if (this.day.isAhead(nowMs)) this.day.close(nowMs)
    if (this.#ban && nowMs < this.#ban.sinceMs) this.#ban = undefined
  }

  /**
   * Returns the state in the form of a scenario. A new account with these settings has the same
   * state.
   */
  toSettings(): AccountSettings {
    const { minute, day } = this
    const settings: AccountSettings = {
      ...(minute.isUsed && { minute: minute.toSettings() }),
      ...(day.isUsed && { day: day.toSettings() }),
      ...this.#toBanSettings(),
    }
    return dropNotStarted(settings, this.#now())
  }

  /** Returns the state, for `restore`. */
  save(): AccountState {
    const ban = this.#ban
    return {
      minute: this.minute.save(),
      day: this.day.save(),
      ban: ban && { ...ban, sinceMs: ban.sinceMs === -Infinity ? null : ban.sinceMs },
      pendingBanSeconds: this.#pendingBanSeconds,
    }
  }

  restore({ minute, day, ban, pendingBanSeconds }: AccountState): void {
    this.minute.restore(minute)
    this.day.restore(day)
    this.#ban = ban && { ...ban, sinceMs: ban.sinceMs ?? -Infinity }
    this.#pendingBanSeconds = pendingBanSeconds
  }

  /** Returns an independent account with the same state. */
  copy(): Account {
    const limits = { requestsPerMinute: this.minute.limit, requestsPerDay: this.day.limit }
    const { plan } = this
    const copy = new Account({ plan, limits, banRule: this.banRule, now: this.#now })
    Object.assign(copy.minute, this.minute)
    Object.assign(copy.day, this.day)
    copy.#ban = this.#ban
    copy.#pendingBanSeconds = this.#pendingBanSeconds
    return copy
  }

  #assign({ minute, day, ban }: AccountSettings): void {
    if (minute) this.minute.set(minute)
    if (day) this.day.set(day)
    if (ban === undefined) return
    this.#pendingBanSeconds = ban?.seconds
    this.#ban =
      ban?.until === undefined
        ? undefined
        : {
            sinceMs: ban.since === undefined ? -Infinity : Date.parse(ban.since),
            untilMs: Date.parse(ban.until),
          }
  }

  #toBanSettings(): Pick<AccountSettings, 'ban'> {
    if (this.#pendingBanSeconds !== undefined) return { ban: { seconds: this.#pendingBanSeconds } }
    if (!this.#ban) return {}
    const { sinceMs, untilMs } = this.#ban
    const since = sinceMs === -Infinity ? {} : { since: toTimestamp(sinceMs) }
    return { ban: { until: toTimestamp(untilMs), ...since } }
  }

  #startPendingBan(nowMs: number): void {
    if (this.#pendingBanSeconds === undefined) return
    this.#startBan(this.#pendingBanSeconds, nowMs)
    this.#pendingBanSeconds = undefined
  }

  #startBan(seconds: number, nowMs: number): void {
    this.#ban = { sinceMs: nowMs, untilMs: nowMs + seconds * 1000 }
  }

  #reject(window: RateLimitWindow, nowMs: number): RateLimitStatus['rejection'] {
    window.rejected += 1
    if (window.rejected < this.banRule.rejections) return 'rate_limit_exceeded'
    window.rejected = 0
    this.#startBan(this.banRule.seconds, nowMs)
    return 'api_key_banned'
  }

  /**
   * Returns the status during a ban. `retryAtMs` is the end of the ban or the reset of an exhausted
   * window, whichever is later.
   */
  #describeBan(nowMs: number): RateLimitStatus {
    const status = this.#describe(nowMs)
    const atMs = Math.max(this.bannedUntilMs(nowMs) ?? nowMs, status.retryAtMs)
    return {
      ...status,
      rejection: 'api_key_banned',
      remaining: 0,
      resetsAtMs: atMs,
      retryAtMs: atMs,
    }
  }

  #describe(nowMs: number): RateLimitStatus {
    const exhausted = this.#exhaustedWindow()
    const { name, limit, remaining, resetsAtMs = nowMs } = exhausted ?? this.#tightestWindow()
    const retryAtMs = exhausted ? resetsAtMs : nowMs
    return { window: name, limit, remaining, resetsAtMs, retryAtMs }
  }

  /**
   * Returns the window without requests left. If both have none, returns the one that resets later.
   */
  #exhaustedWindow(): RateLimitWindow | undefined {
    const { minute, day } = this
    if (minute.remaining > 0) return day.remaining > 0 ? undefined : day
    if (day.remaining > 0) return minute
    return (day.resetsAtMs ?? 0) > (minute.resetsAtMs ?? 0) ? day : minute
  }

  #tightestWindow(): RateLimitWindow {
    return this.day.remaining < this.minute.remaining ? this.day : this.minute
  }
}

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
  /**
   * The state of each account before its first use since `track`; undefined for one that did not
   * exist, or if it is not remembered. Undefined without `track`.
   */
  #tracked: Map<string, AccountState | undefined> | undefined
  /** What `track` was called with. */
  #tracking: 'ids' | 'states' | undefined

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
    this.#tracked?.clear()
  }

  /**
   * Remembers from now on the accounts that are used. Forgets those of earlier calls.
   *
   * @param what Only their ids, or also their states, for `undo`.
   */
  track(what: 'ids' | 'states'): void {
    this.#tracking = what
    this.#tracked ??= new Map()
    if (this.#tracked.size > 0) this.#tracked.clear()
  }

  /** Number of accounts that were used since `track`. */
  get usedCount(): number {
    return this.#tracked?.size ?? 0
  }

  /** Returns the accounts that were used since `track`, or all. */
  save(scope: 'used' | 'all'): Record<string, AccountState> {
    const accounts: Record<string, AccountState> = {}
    for (const id of (scope === 'used' ? this.#tracked : this.#accounts)?.keys() ?? []) {
      const account = this.#accounts.get(id)
      if (account) accounts[id] = account.save()
    }
    return accounts
  }

  /** Replaces the given accounts. The others keep their state. */
  restore(accounts: Readonly<Record<string, AccountState>>): void {
    for (const [id, state] of Object.entries(accounts)) this.account(id).restore(state)
  }

  /** Restores the accounts that were used since `track`. */
  undo(): void {
    for (const [id, state] of this.#tracked ?? []) {
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
    if (this.#tracked) this.#remember(id, found)
    if (found) return found
    const account = this.#create(id)
    this.#accounts.set(id, account)
    return account
  }

  #remember(id: string, account: Account | undefined): void {
    if (this.#tracked?.has(id)) return
    this.#tracked?.set(id, this.#tracking === 'states' ? account?.save() : undefined)
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
    for (const [id, account] of this.#accounts) {
      this.#remember(id, account)
      account.dropNotStarted()
    }
  }

  #create(id: string): Account {
    const plan = this.#findPlan(id)
    const options = {
      plan,
      limits: this.#seed.plans[plan],
      banRule: this.#seed.rules.ban,
      now: this.#now,
      beforeSet: () => this.beforeSet?.(id),
      afterSet: this.#afterSet,
    }
    const { quota } = this.#seed
    const initial = Object.hasOwn(quota, id) ? quota[id] : quota['*']
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

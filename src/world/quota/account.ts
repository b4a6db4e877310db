import { Problem } from '../../service/errors.js'
import { type PlanId, plans } from '../../service/plans.js'
import { formatSecond, toTimestamp } from '../../service/timestamp.js'
import { readValue } from '../../service/validation/validate.js'
import type { WorldSeed } from '../seed.js'
import {
  type AccountOptions,
  type AccountSettings,
  accountSchema,
  type BanRule,
  dropNotStarted,
  findLateTimes,
  type RateLimitStatus,
  toStartedBan,
  type WindowName,
  type WindowSettings,
  windowLengthsMs,
} from './settings.js'

/** One fixed window of a key (A06). Times are milliseconds since the epoch. */
export class RateLimitWindow {
  used = 0
  /** Number of requests rejected in this window. */
  rejected = 0
  /** End of the window; undefined until its first request. */
  resetsAtMs: number | undefined
  #description = { resetsAtMs: Number.NaN, text: '' }

  /** @internal */
  constructor(
    readonly name: WindowName,
    readonly limit: number,
  ) {}

  get remaining(): number {
    return Math.max(0, this.limit - this.used)
  }

  /** Describes the limit and the end of the window, once per window. @internal */
  describeLimit(): string {
    const { limit, resetsAtMs = 0 } = this
    if (resetsAtMs !== this.#description.resetsAtMs) {
      this.#description = { resetsAtMs, text: `of ${limit}, resets ${formatSecond(resetsAtMs)}` }
    }
    return this.#description.text
  }

  /** Starts a new window if none is open at the given time. @internal */
  open(nowMs: number): void {
    const endMs = nowMs + windowLengthsMs[this.name]
    const { resetsAtMs = endMs } = this
    if (resetsAtMs <= nowMs || resetsAtMs > endMs) this.restore()
    this.resetsAtMs ??= endMs
  }

  /** Ends the window if the given time is before its start or after its end. @internal */
  close(nowMs: number): void {
    const { resetsAtMs } = this
    this.open(nowMs)
    if (this.resetsAtMs !== resetsAtMs) this.resetsAtMs = undefined
  }

  /** Returns the state after `open`, without changing the window. @internal */
  peek(nowMs: number): { used: number; remaining: number; rejected: number; resetsAtMs: number } {
    const copy = new RateLimitWindow(this.name, this.limit)
    copy.restore(this.save())
    copy.open(nowMs)
    const { used, remaining, rejected, resetsAtMs = nowMs } = copy
    return { used, remaining, rejected, resetsAtMs }
  }

  /** Sets the given fields. @internal */
  set({ used, remaining, rejected, resetsAt }: WindowSettings): void {
    if (used !== undefined) this.used = used
    if (remaining !== undefined) this.used = Math.max(0, this.limit - remaining)
    if (rejected !== undefined) this.rejected = rejected
    if (resetsAt !== undefined) this.resetsAtMs = Date.parse(resetsAt)
  }

  /** Returns the state, for `restore`; undefined for a window that was never open. @internal */
  save(): WindowSettings | undefined {
    const { used, rejected, resetsAtMs } = this
    if (resetsAtMs !== undefined) return { used, rejected, resetsAt: toTimestamp(resetsAtMs) }
    return used > 0 || rejected > 0 ? { used, rejected } : undefined
  }

  /** @internal */
  restore(settings: WindowSettings = {}): void {
    this.resetsAtMs = undefined
    this.set({ used: 0, rejected: 0, ...settings })
  }
}

/** The quota of one key in one world: its two windows and its ban. */
export class Account {
  readonly plan: PlanId
  readonly minute: RateLimitWindow
  readonly day: RateLimitWindow
  readonly banRule: BanRule
  /** A ban of `seconds` starts with the next request. A ban without a start has already begun. */
  #ban: NonNullable<AccountSettings['ban']> | undefined

  /** @param settings Initial state, as in a scenario or from `save`. @internal */
  constructor(
    /** @internal */ readonly options: AccountOptions,
    settings: AccountSettings = {},
  ) {
    const { plan, limits, banRule } = options
    this.plan = plan
    this.minute = new RateLimitWindow('minute', limits.requestsPerMinute)
    this.day = new RateLimitWindow('day', limits.requestsPerDay)
    this.banRule = banRule
    this.#apply(settings)
  }

  /** Charges one request to both windows. A rejected request is not charged. @internal */
  charge(nowMs = this.options.now()): RateLimitStatus {
    const before = this.#check(nowMs)
    if (before.rejection) return before
    if (before.remaining > 0) {
      this.minute.used += 1
      this.day.used += 1
      return this.#check(nowMs)
    }
    const { rejections, seconds } = this.banRule
    const window = this[before.window]
    window.rejected += 1
    if (window.rejected < rejections) return { ...before, rejection: 'rate_limit_exceeded' }
    window.rejected = 0
    this.#startBan(seconds, nowMs)
    return this.#check(nowMs)
  }

  /** Returns the status without charging a request or opening a window. @internal */
  peek(nowMs = this.options.now()): RateLimitStatus {
    return this.copy().#check(nowMs)
  }

  /**
   * Opens the windows, and starts the ban of the next request. Describes the window with fewer
   * remaining requests; if neither has any, the window that resets later.
   */
  #check(nowMs: number): RateLimitStatus {
    const { minute, day } = this
    minute.open(nowMs)
    day.open(nowMs)
    const { seconds } = this.#ban ?? {}
    if (seconds !== undefined) this.#startBan(seconds, nowMs)
    const areExhausted = minute.remaining === 0 && day.remaining === 0
    const isLater = (day.resetsAtMs ?? 0) > (minute.resetsAtMs ?? 0)
    const isDay = areExhausted ? isLater : day.remaining < minute.remaining
    const { name, limit, remaining, resetsAtMs = nowMs } = isDay ? day : minute
    const retryAtMs = remaining > 0 ? nowMs : resetsAtMs
    const untilMs = this.#ban && this.bannedUntilMs(nowMs)
    if (untilMs === undefined) return { window: name, limit, remaining, resetsAtMs, retryAtMs }
    const atMs = Math.max(untilMs, retryAtMs)
    const rejection = 'api_key_banned'
    return { window: name, limit, remaining: 0, resetsAtMs: atMs, retryAtMs: atMs, rejection }
  }

  /** Whether the key is banned at a time in milliseconds since the epoch. */
  isBanned(nowMs?: number): boolean {
    return this.bannedUntilMs(nowMs) !== undefined
  }

  /** Returns the end of the ban in milliseconds since the epoch; undefined if not banned. */
  bannedUntilMs(nowMs = this.options.now()): number | undefined {
    const { since, until } = this.#ban ?? {}
    if (until === undefined || (since !== undefined && nowMs < Date.parse(since))) return undefined
    const untilMs = Date.parse(until)
    return nowMs < untilMs ? untilMs : undefined
  }

  /** Whether a ban starts with the next request of the key. */
  get hasPendingBan(): boolean {
    return this.#ban?.seconds !== undefined
  }

  /**
   * Sets the given fields; the others keep their values. First clears windows that have ended. A
   * ban of `seconds` starts now. `ban: null` lifts the ban.
   *
   * @throws {Problem} `invalid_field` or `missing_field`; the account keeps its state.
   */
  set(input: AccountSettings): void {
    const settings = readValue(accountSchema, input, 'the quota')
    const nowMs = this.options.now()
    const problems = findLateTimes(settings, nowMs)
    if (problems.length > 0) throw new Problem('invalid_field', problems.join('; '))
    this.options.onSet?.()
    this.minute.close(nowMs)
    this.day.close(nowMs)
    this.#apply(toStartedBan(settings, nowMs))
    if (settings.ban?.seconds !== undefined) this.#startBan(settings.ban.seconds, nowMs)
  }

  /** Returns the state in the form of a scenario, without future windows and bans. @internal */
  toSettings(): AccountSettings {
    return dropNotStarted(this.save(), this.options.now())
  }

  /** Returns the state, for `restore`. @internal */
  save(): AccountSettings {
    return { minute: this.minute.save(), day: this.day.save(), ban: this.#ban }
  }

  /** @internal */
  restore({ minute, day, ban = null }: AccountSettings): void {
    this.minute.restore(minute)
    this.day.restore(day)
    this.#apply({ ban })
  }

  /** Returns an independent account with the same state. @internal */
  copy(): Account {
    return new Account({ ...this.options, onSet: undefined }, this.save())
  }

  #apply({ minute, day, ban }: AccountSettings): void {
    if (minute) this.minute.set(minute)
    if (day) this.day.set(day)
    const normalize = (time?: string) => time && toTimestamp(Date.parse(time))
    if (ban) this.#ban = { ...ban, until: normalize(ban.until), since: normalize(ban.since) }
    else if (ban === null) this.#ban = undefined
  }

  #startBan(seconds: number, nowMs: number): void {
    this.#ban = { until: toTimestamp(nowMs + seconds * 1000), since: toTimestamp(nowMs) }
  }
}

/** The accounts of a world: one for each plan, and one for each key that the scenario lists. */
export class Accounts {
  readonly #accounts = new Map<string, Account>()
  #seed!: WorldSeed
  #startMs = 0
  /** Called with the id of an account before it is set. May throw to reject it. @internal */
  beforeSet: ((id: string) => void) | undefined
  /** Earliest time to which the clock was moved back since the start, in ms since the epoch. @internal */
  earliestMs = Infinity
  /** Called with the id of an account before it is used. The account is undefined if it is new. @internal */
  onUse: ((id: string, account: Account | undefined) => void) | undefined

  /**
   * @param planOf Returns the plan of a listed key.
   * @param onSet Called when an account is set. @internal
   */
  constructor(
    /** @internal */ readonly now: () => number,
    /** @internal */ readonly planOf: (apiKey: string) => PlanId | undefined,
    /** @internal */ readonly onSet: () => void,
  ) {}

  /** Discards all accounts and starts from the quota of a scenario. Takes constant time. @internal */
  start(seed: WorldSeed, startMs: number): void {
    this.#seed = seed
    this.#accounts.clear()
    this.#startMs = startMs
    this.earliestMs = Infinity
  }

  /** Returns the states of accounts. Default: of all used accounts. @internal */
  save(ids: Iterable<string> = this.#accounts.keys()): Record<string, AccountSettings> {
    return Object.fromEntries(Array.from(ids, (id) => [id, this.#accounts.get(id)?.save() ?? {}]))
  }

  /** Replaces the given accounts, and removes those without a state. @internal */
  restore(accounts: Readonly<Record<string, AccountSettings | undefined>>): void {
    for (const [id, state] of Object.entries(accounts)) {
      if (state) this.account(id).restore(state)
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
    this.onUse?.(id, found)
    this.#accounts.set(id, account)
    return account
  }

  /**
   * Returns a copy of an account. Changes to it do not affect the world.
   *
   * @throws {RangeError} If there is no such plan or key. @internal
   */
  copy(id: string): Account {
    return (this.#accounts.get(id) ?? this.#create(id)).copy()
  }

  /** Returns the quota of every key in the form of a scenario. @internal */
  toSettings(): Record<string, AccountSettings> {
    const settings: Record<string, AccountSettings> = {}
    for (const [id, initial] of Object.entries(this.#seed.quota)) {
      settings[id] = dropNotStarted(this.#toInitial(initial), this.now())
    }
    for (const [id, account] of this.#accounts) settings[id] = account.toSettings()
    return settings
  }

  /** Ends windows and bans that start after the current time. Called after the clock moved back. @internal */
  dropNotStarted(): void {
    this.earliestMs = Math.min(this.earliestMs, this.now())
    for (const id of this.#accounts.keys()) {
      const account = this.account(id)
      account.restore(account.toSettings())
    }
  }

  #create(id: string): Account {
    const plan = Object.hasOwn(plans, id) ? (id as PlanId) : this.planOf(id) // an own key of the table
    if (plan === undefined) {
      const wanted = 'the id of an account must be a plan or a key that the scenario lists'
      throw new RangeError(`${wanted}, found ${JSON.stringify(id)}`)
    }
    const { plans: limits, rules, quota } = this.#seed
    const initial = Object.hasOwn(quota, id) ? quota[id] : quota['*']
    const onSet = () => {
      this.beforeSet?.(id)
      this.onSet()
    }
    const options = { plan, limits: limits[plan], banRule: rules.ban, now: this.now, onSet }
    return new Account(options, initial && this.#toInitial(initial))
  }

  /** Returns the settings of the scenario for an account that is not created yet. */
  #toInitial(settings: AccountSettings): AccountSettings {
    return dropNotStarted(toStartedBan(settings, this.#startMs), this.earliestMs)
  }
}

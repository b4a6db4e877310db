import { Problem } from '../../service/errors.js'
import type { PlanId, PlanLimits } from '../../service/plans.js'
import { formatSecond } from '../../service/timestamp.js'
import { readValue } from '../../service/validation/validate.js'
import {
  type AccountSettings,
  type AccountState,
  accountSchema,
  applySettings,
  dropNotStarted,
  findLateTimes,
  toSettings,
  toStartedBan,
  unused,
  type WindowName,
  type WindowState,
  windowLengthsMs,
} from './settings.js'

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

/** One fixed window of a key (A06). Times are milliseconds since the epoch. */
export class RateLimitWindow {
  used = 0
  /** Number of requests rejected in this window. */
  rejected = 0
  /** End of the window; undefined until its first request. */
  resetsAtMs: number | undefined
  #describedMs = Number.NaN
  #description = ''

  constructor(
    readonly name: WindowName,
    readonly limit: number,
  ) {}

  get remaining(): number {
    return Math.max(0, this.limit - this.used)
  }

  /** Describes the limit and the end of the window, once per window. */
  describeLimit(): string {
    const { resetsAtMs = 0 } = this
    if (resetsAtMs !== this.#describedMs) {
      this.#describedMs = resetsAtMs
      this.#description = ['of ', this.limit, ', resets ', formatSecond(resetsAtMs)].join('')
    }
    return this.#description
  }

  /** Starts a new window if none is open at the given time. */
  open(nowMs: number): void {
    this.close(nowMs)
    this.resetsAtMs ??= nowMs + windowLengthsMs[this.name]
  }

  /** Ends the window if the given time is before its start or after its end. */
  close(nowMs: number): void {
    const { name, resetsAtMs } = this
    if (resetsAtMs === undefined) return
    const isOpen = nowMs < resetsAtMs && nowMs >= resetsAtMs - windowLengthsMs[name]
    if (!isOpen) this.restore([0, 0, null])
  }

  /** Returns the state after `open`, without changing the window. */
  peek(nowMs: number): { used: number; remaining: number; rejected: number; resetsAtMs: number } {
    const copy = new RateLimitWindow(this.name, this.limit)
    copy.restore(this.save())
    copy.open(nowMs)
    const { used, remaining, rejected, resetsAtMs = nowMs } = copy
    return { used, remaining, rejected, resetsAtMs }
  }

  /** Returns the state, for `restore`. */
  save(): WindowState {
    return [this.used, this.rejected, this.resetsAtMs ?? null]
  }

  restore([used, rejected, resetsAtMs]: WindowState): void {
    this.used = used
    this.rejected = rejected
    this.resetsAtMs = resetsAtMs ?? undefined
  }
}

/** The quota of one key in one world: its two windows and its ban. */
export class Account {
  readonly plan: PlanId
  readonly minute: RateLimitWindow
  readonly day: RateLimitWindow
  readonly banRule: BanRule
  readonly #options: AccountOptions
  #ban: AccountState['ban']
  /** Length of a ban that starts with the next request of the key. */
  #pendingBanSeconds: number | undefined

  /** @param settings Initial state, as in a scenario or from `toSettings`. */
  constructor(options: AccountOptions, settings: AccountSettings = {}) {
    const { plan, limits, banRule } = options
    this.plan = plan
    this.minute = new RateLimitWindow('minute', limits.requestsPerMinute)
    this.day = new RateLimitWindow('day', limits.requestsPerDay)
    this.banRule = banRule
    this.#options = options
    this.#apply(settings)
  }

  /** Charges one request to both windows. A rejected request is not charged. */
  charge(nowMs = this.#options.now()): RateLimitStatus {
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

  /** Returns the status without charging a request or opening a window. */
  peek(nowMs = this.#options.now()): RateLimitStatus {
    return this.copy().#check(nowMs)
  }

  /**
   * Opens the windows, and starts the ban of the next request. Describes the window with fewer requests
   * left; if both have none, the one that resets later.
   */
  #check(nowMs: number): RateLimitStatus {
    const { minute, day } = this
    minute.open(nowMs)
    day.open(nowMs)
    if (this.#pendingBanSeconds !== undefined) this.#startBan(this.#pendingBanSeconds, nowMs)
    const isLater = day.remaining === 0 && Number(day.resetsAtMs) > Number(minute.resetsAtMs)
    const isDay = day.remaining < minute.remaining || (minute.remaining === 0 && isLater)
    const { name, limit, remaining, resetsAtMs = nowMs } = isDay ? day : minute
    const retryAtMs = remaining > 0 ? nowMs : resetsAtMs
    const untilMs = this.bannedUntilMs(nowMs)
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
  bannedUntilMs(nowMs = this.#options.now()): number | undefined {
    const ban = this.#ban
    const isBanned = ban && (ban.sinceMs ?? -Infinity) <= nowMs && nowMs < ban.untilMs
    return isBanned ? ban.untilMs : undefined
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
    const { now, beforeSet, afterSet } = this.#options
    beforeSet?.()
    const settings = readValue(accountSchema(), input, 'the quota')
    const nowMs = now()
    const problems = findLateTimes(settings, nowMs)
    if (problems.length > 0) throw new Problem('invalid_field', problems.join('; '))
    this.minute.close(nowMs)
    this.day.close(nowMs)
    this.#apply(toStartedBan(settings, nowMs))
    if (settings.ban?.seconds !== undefined) this.#startBan(settings.ban.seconds, nowMs)
    afterSet?.()
  }

  /** Ends windows and bans that start after the current time. Called after the clock moved back. */
  dropNotStarted(): void {
    const settings = this.toSettings()
    this.restore(unused)
    this.#apply(settings)
  }

  /**
   * Returns the state in the form of a scenario. A new account with these settings has the same
   * state.
   */
  toSettings(): AccountSettings {
    return dropNotStarted(toSettings(this.save()), this.#options.now())
  }

  /** Returns the state, for `restore`. */
  save(): AccountState {
    return {
      minute: this.minute.save(),
      day: this.day.save(),
      ban: this.#ban,
      pendingBanSeconds: this.#pendingBanSeconds,
    }
  }

  restore({ minute, day, ban, pendingBanSeconds }: AccountState): void {
    this.minute.restore(minute)
    this.day.restore(day)
    this.#ban = ban
    this.#pendingBanSeconds = pendingBanSeconds
  }

  /** Returns an independent account with the same state. */
  copy(): Account {
    const { plan, limits, banRule, now } = this.#options
    const copy = new Account({ plan, limits, banRule, now })
    copy.restore(this.save())
    return copy
  }

  #apply(settings: AccountSettings): void {
    this.restore(applySettings(this.save(), settings, this.#options.limits))
  }

  #startBan(seconds: number, nowMs: number): void {
    this.#ban = { sinceMs: nowMs, untilMs: nowMs + seconds * 1000 }
    this.#pendingBanSeconds = undefined
  }
}

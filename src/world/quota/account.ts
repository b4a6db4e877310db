import { z } from 'zod'
import { Problem } from '../../contract/errors.js'
import type { PlanId, PlanLimits } from '../../contract/plans.js'
import { timestampSchema } from '../../contract/schemas.js'
import { readValue } from '../../validation/validate.js'

const windowSchema = z
  .strictObject({
    used: z.int().min(0).optional().describe('How many requests were charged in it.'),
    remaining: z
      .int()
      .min(0)
      .optional()
      .describe('How many requests are left in it: another way to say used, right for each plan.'),
    rejected: z
      .int()
      .min(0)
      .optional()
      .describe('How many requests were rejected in it; enough of them bring a ban (A08).'),
    resetsAt: timestampSchema
      .optional()
      .describe('When it ends, ISO 8601; without it, it opens with the next request of the key.'),
  })
  .refine(({ used, remaining }) => used === undefined || remaining === undefined, {
    error: 'either used or remaining, not both',
  })

const banSchema = z
  .strictObject({
    until: timestampSchema.optional().describe('When the ban ends, ISO 8601.'),
    seconds: z
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('How long it is, counted from the next request of the key.'),
  })
  .refine(({ until, seconds }) => (until === undefined) !== (seconds === undefined), {
    error: 'either until or seconds',
  })

/** What one key has used already, and its ban. */
export const accountSchema = z.strictObject({
  minute: windowSchema.optional().describe('The minute window of the key.'),
  day: windowSchema.optional().describe('The day window of the key.'),
  ban: banSchema.nullable().optional().describe('The ban of the key; null for none.'),
})
export type AccountSettings = z.output<typeof accountSchema>

export type WindowName = 'minute' | 'day'

const lengthsMs = { minute: 60_000, day: 86_400_000 } as const

/** One fixed window of a key (A06). Moments are milliseconds since 1970. */
export class RateLimitWindow {
  used = 0
  rejected = 0
  /** Undefined until the first request. */
  resetsAtMs: number | undefined

  constructor(
    readonly name: WindowName,
    readonly limit: number,
  ) {}

  get remaining(): number {
    return Math.max(0, this.limit - this.used)
  }

  /** Opens a new window when there is none, or when the clock has left it, forwards or back. */
  open(nowMs: number): void {
    this.close(nowMs)
    this.resetsAtMs ??= nowMs + lengthsMs[this.name]
  }

  /** Ends the window when the clock has left it; the next request opens a new one. */
  close(nowMs: number): void {
    if (this.resetsAtMs === undefined) return
    if (nowMs < this.resetsAtMs && nowMs >= this.resetsAtMs - lengthsMs[this.name]) return
    this.used = 0
    this.rejected = 0
    this.resetsAtMs = undefined
  }

  /** As `open`, for a reader: says where the window stands and changes nothing. */
  peek(nowMs: number): { used: number; remaining: number; rejected: number; resetsAtMs: number } {
    const copy = new RateLimitWindow(this.name, this.limit)
    copy.set(this)
    copy.open(nowMs)
    const { used, remaining, rejected } = copy
    return { used, remaining, rejected, resetsAtMs: copy.resetsAtMs ?? nowMs }
  }

  set(state: { used?: number; rejected?: number; resetsAtMs?: number | undefined }): void {
    this.used = state.used ?? this.used
    this.rejected = state.rejected ?? this.rejected
    if ('resetsAtMs' in state) this.resetsAtMs = state.resetsAtMs
  }
}

/** What came of charging one request. */
export interface Charge {
  /** None when the request is let through. */
  readonly rejection?: 'rate_limit_exceeded' | 'api_key_banned'
  /** The window that the rate-limit headers describe (A07). */
  readonly window: RateLimitWindow
  /** The first moment at which a request may pass again; only with a rejection. */
  readonly retryAtMs: number
}

/** How many rejected requests bring a ban, and how long it is (A08). */
export interface BanRule {
  readonly rejections: number
  readonly seconds: number
}

/** The quota of one key in one environment: its two windows and its ban. */
export class Account {
  readonly minute: RateLimitWindow
  readonly day: RateLimitWindow
  #bannedUntilMs: number | undefined
  /** A ban that begins with the next request of the key. */
  #pendingBanSeconds: number | undefined

  constructor(
    readonly plan: PlanId,
    limits: PlanLimits,
    readonly banRule: BanRule,
  ) {
    this.minute = new RateLimitWindow('minute', limits.requestsPerMinute)
    this.day = new RateLimitWindow('day', limits.requestsPerDay)
  }

  /** Charges one request to both windows, or says why it is rejected; then nothing is charged. */
  charge(nowMs: number): Charge {
    this.minute.open(nowMs)
    this.day.open(nowMs)
    this.#beginPendingBan(nowMs)
    if (this.bannedUntilMs(nowMs) !== undefined) return this.#rejectBanned(nowMs)
    const window = this.#exhaustedWindow()
    if (window) return this.#reject(window, nowMs)
    this.minute.used += 1
    this.day.used += 1
    return { window: this.#tightestWindow(), retryAtMs: nowMs }
  }

  /** The window that the headers describe for a request that is not charged. */
  peek(nowMs: number): {
    window: WindowName
    limit: number
    remaining: number
    resetsAtMs: number
  } {
    const minute = this.minute.peek(nowMs)
    const day = this.day.peek(nowMs)
    const isDay = day.remaining < minute.remaining
    const window = isDay ? this.day : this.minute
    return { window: window.name, limit: window.limit, ...(isDay ? day : minute) }
  }

  /** When the ban ends, in milliseconds since 1970; undefined when the key is not banned. */
  bannedUntilMs(nowMs: number): number | undefined {
    const until = this.#bannedUntilMs
    return until !== undefined && nowMs < until ? until : undefined
  }

  /**
   * Sets what is given and leaves the rest; `ban: null` lifts a ban.
   *
   * @throws {Problem} invalid_field or missing_field; the account stays as it was.
   * @param nowMs What the windows and a ban of so many seconds count from; without it, they
   * count from the next request.
   */
  set(input: AccountSettings, nowMs?: number): void {
    const settings = readValue(accountSchema, input, 'the quota')
    if (nowMs !== undefined) {
      refuseLateReset('minute', settings.minute, nowMs)
      refuseLateReset('day', settings.day, nowMs)
      this.minute.close(nowMs)
      this.day.close(nowMs)
    }
    if (settings.minute) setWindow(this.minute, settings.minute)
    if (settings.day) setWindow(this.day, settings.day)
    if (settings.ban === undefined) return
    const until = settings.ban?.until
    this.#bannedUntilMs = until === undefined ? undefined : Date.parse(until)
    this.#pendingBanSeconds = settings.ban?.seconds
    if (nowMs !== undefined) this.#beginPendingBan(nowMs)
  }

  /** The state as settings: `set` on a new account of the same plan gives the same one. */
  toSettings(): AccountSettings {
    return {
      minute: toWindowSettings(this.minute),
      day: toWindowSettings(this.day),
      ...(this.#pendingBanSeconds !== undefined && { ban: { seconds: this.#pendingBanSeconds } }),
      ...(this.#bannedUntilMs !== undefined && {
        ban: { until: new Date(this.#bannedUntilMs).toISOString() },
      }),
    }
  }

  #beginPendingBan(nowMs: number): void {
    if (this.#pendingBanSeconds === undefined) return
    this.#bannedUntilMs = nowMs + this.#pendingBanSeconds * 1000
    this.#pendingBanSeconds = undefined
  }

  #rejectBanned(nowMs: number): Charge {
    const exhausted = this.#exhaustedWindow()
    const retryAtMs = Math.max(this.#bannedUntilMs ?? nowMs, exhausted?.resetsAtMs ?? nowMs)
    return {
      rejection: 'api_key_banned',
      window: exhausted ?? this.#tightestWindow(),
      retryAtMs,
    }
  }

  #reject(window: RateLimitWindow, nowMs: number): Charge {
    window.rejected += 1
    if (window.rejected < this.banRule.rejections) {
      const retryAtMs = window.resetsAtMs ?? nowMs
      return { rejection: 'rate_limit_exceeded', window, retryAtMs }
    }
    window.rejected = 0
    this.#bannedUntilMs = nowMs + this.banRule.seconds * 1000
    return this.#rejectBanned(nowMs)
  }

  /** The window without requests left; of two, the one that resets later. */
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

type WindowSettings = z.output<typeof windowSchema>

/** A window that ends later than a whole one would be none: the next request would open another. */
function refuseLateReset(
  name: WindowName,
  settings: WindowSettings | undefined,
  nowMs: number,
): void {
  const latestMs = nowMs + lengthsMs[name]
  const resetsAt = settings?.resetsAt
  if (resetsAt === undefined || Date.parse(resetsAt) <= latestMs) return
  const latest = new Date(latestMs).toISOString()
  const message = `${name}.resetsAt must be at most ${latest}, found ${JSON.stringify(resetsAt)}`
  throw new Problem('invalid_field', message)
}

function setWindow(window: RateLimitWindow, settings: WindowSettings): void {
  const { used, remaining, rejected, resetsAt } = settings
  if (remaining !== undefined) window.set({ used: Math.max(0, window.limit - remaining) })
  if (used !== undefined) window.set({ used })
  if (rejected !== undefined) window.set({ rejected })
  if (resetsAt !== undefined) window.set({ resetsAtMs: Date.parse(resetsAt) })
}

function toWindowSettings(window: RateLimitWindow): WindowSettings {
  return {
    used: window.used,
    rejected: window.rejected,
    ...(window.resetsAtMs !== undefined && { resetsAt: new Date(window.resetsAtMs).toISOString() }),
  }
}

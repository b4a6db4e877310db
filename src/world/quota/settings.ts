import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import type { PlanId, PlanLimits } from '../../service/plans.js'
import { timestampSchema } from '../../service/schemas.js'
import { toTimestamp } from '../../service/timestamp.js'
import { truncate } from '../../service/validation/message.js'

const count = z.optional(z.int().check(z.minimum(0)))
const time = z.optional(timestampSchema)

const windowSchema = z
  .strictObject({
    used: annotate(count, 'Number of requests charged in the window.'),
    remaining: annotate(count, 'Number of requests left in the window; an alternative to used.'),
    rejected: annotate(
      count,
      'Number of requests rejected in the window; counts towards a ban (A08).',
    ),
    resetsAt: annotate(
      time,
      'End of the window, ISO 8601, at most one length ahead. Default: it opens with the next request.',
    ),
  })
  .check(
    z.refine(({ used, remaining }) => used === undefined || remaining === undefined, {
      error: 'an object with used or remaining, not both',
    }),
  )

const banSchema = z
  .strictObject({
    until: annotate(time, 'End of the ban, ISO 8601.'),
    since: annotate(time, 'Start of the ban, ISO 8601. Default: the time at which it is set.'),
    seconds: annotate(
      z.optional(z.int().check(z.minimum(1), z.maximum(31_536_000))),
      'Length of the ban in seconds, from the next request of the key; over the control API, from now.',
    ),
  })
  .check(
    z.refine(({ until, seconds }) => (until === undefined) !== (seconds === undefined), {
      error: 'an object with either until or seconds',
    }),
    z.refine(({ since, seconds }) => since === undefined || seconds === undefined, {
      error: 'an object with until if it has since',
    }),
  )

/** Schema of the quota of one key: both windows and the ban. */
export const accountSchema = z.strictObject({
  minute: annotate(z.optional(windowSchema), 'Minute window of the key.'),
  day: annotate(z.optional(windowSchema), 'Day window of the key.'),
  ban: annotate(z.optional(z.nullable(banSchema)), 'Ban of the key; null for none.'),
})

export type AccountSettings = z.output<typeof accountSchema>
export type WindowSettings = z.output<typeof windowSchema>
export type WindowName = 'minute' | 'day'

/** Length of each window in milliseconds (A06). */
export const windowLengthsMs = { minute: 60_000, day: 86_400_000 } as const

/**
 * Finds times that lie too far ahead for a quota that is set at `nowMs`: a window cannot reset
 * later than one window length from now, and a ban cannot start later than now.
 *
 * @returns One message for each such time, such as `minute.resetsAt must be at most …, found …`.
 */
export function findLateTimes(settings: AccountSettings, nowMs: number): string[] {
  const latest = [
    ['minute.resetsAt', settings.minute?.resetsAt, nowMs + windowLengthsMs.minute],
    ['day.resetsAt', settings.day?.resetsAt, nowMs + windowLengthsMs.day],
    ['ban.since', settings.ban?.since, nowMs],
  ] as const
  return latest.flatMap(([path, found = '', latestMs]) => {
    if (!(Date.parse(found) > latestMs)) return []
    const shown = JSON.stringify(truncate(found))
    return [`${path} must be at most ${toTimestamp(latestMs)}, found ${shown}`]
  })
}

/**
 * Removes the windows and bans that start after `nowMs`. Both end when the clock moves back to a
 * time before their start.
 */
export function dropNotStarted(settings: AccountSettings, nowMs: number): AccountSettings {
  const { minute, day, ban } = settings
  const isStarted = (time: string | undefined, lengthMs = 0) =>
    time === undefined || Date.parse(time) - lengthMs <= nowMs
  return {
    ...(minute && isStarted(minute.resetsAt, windowLengthsMs.minute) && { minute }),
    ...(day && isStarted(day.resetsAt, windowLengthsMs.day) && { day }),
    ...(ban && isStarted(ban.since) && { ban }),
  }
}

/** Adds a start to a ban that states only its end. */
export function toStartedBan(settings: AccountSettings, startMs: number): AccountSettings {
  const { ban } = settings
  if (ban?.until === undefined || ban.since !== undefined) return settings
  return { ...settings, ban: { ...ban, since: toTimestamp(startMs) } }
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

/** The state of a window. The reset is in milliseconds since the epoch, or null if none is open. */
export type WindowState = readonly [used: number, rejected: number, resetsAtMs: number | null]

/** The state of an account, as JSON can represent it. Times are ms since the epoch. */
export interface AccountState {
  readonly minute: WindowState
  readonly day: WindowState
  /** A ban without a start has always applied. */
  readonly ban?: { readonly sinceMs: number | null; readonly untilMs: number } | undefined
  readonly pendingBanSeconds?: number | undefined
}

/** The state of an account that was never used. */
export const unused: AccountState = { minute: [0, 0, null], day: [0, 0, null] }

/** Returns a state with the given settings; what they omit stays the same. */
export function applySettings(
  state: AccountState,
  { minute, day, ban }: AccountSettings,
  limits: PlanLimits,
): AccountState {
  const next = {
    ...state,
    minute: minute ? applyWindow(state.minute, minute, limits.requestsPerMinute) : state.minute,
    day: day ? applyWindow(state.day, day, limits.requestsPerDay) : state.day,
  }
  if (ban === undefined) return next
  const { since, until, seconds } = ban ?? {}
  const sinceMs = since === undefined ? null : Date.parse(since)
  const started = until === undefined ? undefined : { sinceMs, untilMs: Date.parse(until) }
  return { ...next, ban: started, pendingBanSeconds: seconds }
}

function applyWindow(state: WindowState, settings: WindowSettings, limit: number): WindowState {
  const [used, rejected, resetsAtMs] = state
  const { remaining, resetsAt } = settings
  const left = remaining === undefined ? used : Math.max(0, limit - remaining)
  return [
    settings.used ?? left,
    settings.rejected ?? rejected,
    resetsAt === undefined ? resetsAtMs : Date.parse(resetsAt),
  ]
}

/** Returns a state in the form of a scenario. `applySettings` converts it to the same state. */
export function toSettings({ minute, day, ban, pendingBanSeconds }: AccountState): AccountSettings {
  const settings: AccountSettings = {}
  if (isUsed(minute)) settings.minute = toWindowSettings(minute)
  if (isUsed(day)) settings.day = toWindowSettings(day)
  if (pendingBanSeconds !== undefined) settings.ban = { seconds: pendingBanSeconds }
  else if (ban) {
    const since = ban.sinceMs === null ? {} : { since: toTimestamp(ban.sinceMs) }
    settings.ban = { until: toTimestamp(ban.untilMs), ...since }
  }
  return settings
}

/** Whether a window differs from one that was never open. */
function isUsed([used, rejected, resetsAtMs]: WindowState): boolean {
  return used > 0 || rejected > 0 || resetsAtMs !== null
}

function toWindowSettings([used, rejected, resetsAtMs]: WindowState): WindowSettings {
  return { used, rejected, ...(resetsAtMs !== null && { resetsAt: toTimestamp(resetsAtMs) }) }
}

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
  /** Called when valid settings are given to `set`. May throw to reject them. */
  readonly onSet?: (() => void) | undefined
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

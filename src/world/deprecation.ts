import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { timestampSchema } from '../service/schemas.js'
import { isoDurationSchema, toMilliseconds } from './clock.js'

const dayMs = 86_400_000

const longestDays = 36_525

/** A duration. Its limit keeps every date within four-digit years. */
const spanSchema = isoDurationSchema.check(
  z.refine((span) => Math.abs(toMilliseconds(span)) <= longestDays * dayMs, {
    error: `a duration of at most ${longestDays} days`,
  }),
)

const dateSchema = z.union([timestampSchema, spanSchema], {
  error: 'an ISO 8601 date and time, or a duration from the start of the world such as "P90D"',
})

/** Schema of the deprecation dates (A05) and of the behaviour after the sunset (A21). */
export const deprecationSchema = z.strictObject({
  deprecatedAt: annotate(
    z._default(dateSchema, '-P30D'),
    'Date of the deprecation: ISO 8601, or a duration from the start. Not after sunsetAt.',
  ),
  sunsetAt: annotate(
    z._default(dateSchema, 'P90D'),
    'Date of the sunset: ISO 8601, or a duration from the start.',
  ),
  link: annotate(
    z._default(
      z.string().check(
        z.regex(/^[\x21\x23-\x3b\x3d\x3f-\x7e]{1,500}$/, {
          error: 'a URL or path in visible ASCII without < > and quotation marks',
        }),
      ),
      '/#getPet',
    ),
    'Target of the Link header; never fetched.',
  ),
  afterSunset: annotate(
    z._default(z.enum(['gone', 'serve']), 'gone'),
    'After the sunset: respond with 410 operation_gone, or as before (A21).',
  ),
})
export type DeprecationSettings = z.output<typeof deprecationSchema>

/** The deprecation of an operation in a world. */
export interface Deprecation {
  /** Milliseconds since the epoch. */
  readonly deprecatedAtMs: number
  /** Never earlier than `deprecatedAtMs` (RFC 9745, section 4). */
  readonly sunsetAtMs: number
  readonly link: string
  readonly afterSunset: 'gone' | 'serve'
}

/**
 * Resolves the dates for a world that starts at `startMs`. If the deprecation date is later than the
 * sunset, both are the sunset. This happens only if one date is absolute and the other one relative.
 */
export function createDeprecation(settings: DeprecationSettings, startMs: number): Deprecation {
  const { link, afterSunset } = settings
  const sunsetAtMs = toDate(settings.sunsetAt, startMs)
  const deprecatedAtMs = Math.min(toDate(settings.deprecatedAt, startMs), sunsetAtMs)
  return { deprecatedAtMs, sunsetAtMs, link, afterSunset }
}

/**
 * Whether the sunset is before the deprecation, which RFC 9745 forbids. Without `startMs`, a date
 * and a duration cannot be compared, and the result is false.
 */
export function isSunsetTooEarly(
  { deprecatedAt, sunsetAt }: DeprecationSettings,
  startMs: number | undefined,
): boolean {
  if (startMs === undefined && isDuration(deprecatedAt) !== isDuration(sunsetAt)) return false
  return toDate(sunsetAt, startMs ?? 0) < toDate(deprecatedAt, startMs ?? 0)
}

function isDuration(date: string): boolean {
  return /^-?P/.test(date)
}

/** Resolves a date to ms since the epoch. A duration of whole days counts from midnight UTC. */
function toDate(date: string, startMs: number): number {
  if (!isDuration(date)) return Date.parse(date)
  const span = toMilliseconds(date)
  const start = span % dayMs === 0 ? Math.floor(startMs / dayMs) * dayMs : startMs
  return Math.floor(start + span)
}

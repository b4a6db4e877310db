import { z } from 'zod'
import { timestampSchema } from '../contract/schemas.js'
import { isoDurationSchema, toMilliseconds } from './duration.js'

const dayMs = 86_400_000

const longestDays = 36_525

/** Short enough that no date leaves the calendar. */
const spanSchema = isoDurationSchema.refine(
  (span) => Math.abs(toMilliseconds(span)) <= longestDays * dayMs,
  { error: `a duration of at most ${longestDays} days` },
)

const momentSchema = z.union([timestampSchema, spanSchema], {
  error: 'an ISO 8601 date and time, or a duration from the start of the world such as "P90D"',
})

/** The dates of the deprecated operation (A05) and what follows its sunset (A21). */
export const deprecationSchema = z.strictObject({
  deprecatedAt: momentSchema
    .default('-P30D')
    .describe('When the operation became deprecated: a moment, or a duration from the start.'),
  sunsetAt: momentSchema
    .default('P90D')
    .describe('When the operation ends: a moment, or a duration from the start.'),
  link: z
    .string()
    .regex(/^[\x21\x23-\x3b\x3d\x3f-\x7e]{1,500}$/, {
      error: 'a URL or path in visible ASCII without < > and quotation marks',
    })
    .default('/#getPet')
    .describe('Target of the Link header; never fetched.'),
  afterSunset: z
    .enum(['gone', 'serve'])
    .default('gone')
    .describe('After the sunset: answer 410 operation_gone, or serve as before (A21).'),
})
export type DeprecationSettings = z.output<typeof deprecationSchema>

/** A deprecation at fixed moments, in milliseconds since 1970, with its response headers. */
export interface Deprecation {
  readonly deprecatedAtMs: number
  readonly sunsetAtMs: number
  readonly link: string
  readonly afterSunset: 'gone' | 'serve'
  /** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`, as name, value, name, value. */
  readonly headers: readonly string[]
}

/** Fixes the dates for a world that starts at the given moment. */
export function createDeprecation(settings: DeprecationSettings, startMs: number): Deprecation {
  const deprecatedAtMs = toFixedMoment(settings.deprecatedAt, startMs)
  const sunsetAtMs = toFixedMoment(settings.sunsetAt, startMs)
  return {
    deprecatedAtMs,
    sunsetAtMs,
    link: settings.link,
    afterSunset: settings.afterSunset,
    headers: [
      'Deprecation',
      `@${Math.floor(deprecatedAtMs / 1000)}`,
      'Sunset',
      new Date(sunsetAtMs).toUTCString(),
      'Link',
      `<${settings.link}>; rel="deprecation"; type="text/html"`,
    ],
  }
}

/** A date as it is; a duration of whole days counts from midnight UTC, so that dates are round. */
function toFixedMoment(moment: string, startMs: number): number {
  if (!/^-?P/.test(moment)) return Date.parse(moment)
  const span = toMilliseconds(moment)
  const start = span % dayMs === 0 ? Math.floor(startMs / dayMs) * dayMs : startMs
  return Math.floor(start + span)
}

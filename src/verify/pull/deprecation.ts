import { toTimestamp } from '../../service/timestamp.js'
import { validate } from '../../service/validation/validate.js'
import { deprecationSchema } from '../../world/deprecation.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { parseDate } from '../rate-limit.js'
import type { Received } from './received.js'

const dayMs = 86_400_000

/** The deprecation of a scenario. */
export interface ReadDeprecation {
  readonly value: Scenario['deprecation']
  /** What the scenario does not represent. */
  readonly notes: readonly string[]
  /** What the responses do not show. */
  readonly unknown: readonly string[]
}

/**
 * Returns the deprecation of GET /pets/{petId}, from the headers of its responses.
 *
 * @param startMs Start of the world, in milliseconds since the epoch.
 */
export function readDeprecation(pets: Iterable<Received>, startMs: number): ReadDeprecation {
  const all = [...pets]
  const latest = all.at(-1)
  if (!latest) return { value: {}, notes: [], unknown: [unknownDates] }
  const { headers } = latest
  const notes: string[] = []
  const sunsetMs = readTime('Sunset', headers.get('sunset'), notes)
  const seconds = /^@(-?\d{1,12})$/.exec(headers.get('deprecation') ?? '')?.[1]
  const text =
    seconds === undefined ? headers.get('deprecation') : toTimestampOf(Number(seconds) * 1000)
  const deprecatedMs = readTime('Deprecation', text, notes)
  const isGone = all.some(({ status }) => status === 410) && !all.some(isServed)
  if (isGone && sunsetMs !== undefined && sunsetMs > startMs) notes.push(goneBefore)
  const dates = toDates(
    { deprecatedMs, sunsetMs: sunsetMs ?? (isGone ? startMs : undefined) },
    startMs,
    notes,
  )
  const outlives = all.some(isServed) && sunsetMs !== undefined && sunsetMs <= startMs
  return {
    value: {
      ...dates,
      ...readLink(headers.get('link'), notes),
      ...(outlives && { afterSunset: 'serve' as const }),
    },
    notes,
    unknown: [],
  }
}

function isServed({ status }: Received): boolean {
  return status === 200
}

const unknownDates =
  'deprecation: no response of GET /pets/{petId}, so its dates are not known; the sandbox uses its own'
const goneBefore =
  'deprecation: GET /pets/{petId} is gone before its sunset; the sandbox serves it until then'

function toTimestampOf(ms: number): string | undefined {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : toTimestamp(ms)
}

function readTime(name: string, value: string | undefined, notes: string[]): number | undefined {
  if (value === undefined) {
    notes.push(`deprecation: GET /pets/{petId} has no ${name} header; the sandbox sends one`)
    return undefined
  }
  const ms = parseDate(value)
  if (!Number.isNaN(ms)) return ms
  notes.push(
    `deprecation: the ${name} header must be a date, found ${JSON.stringify(value.slice(0, 100))}`,
  )
  return undefined
}

interface Times {
  readonly deprecatedMs: number | undefined
  readonly sunsetMs: number | undefined
}

/** Returns absolute dates in which the sunset is not before the deprecation (RFC 9745, section 4). */
function toDates({ deprecatedMs, sunsetMs }: Times, startMs: number, notes: string[]) {
  if (deprecatedMs === undefined && sunsetMs === undefined) return {}
  const latestMs = sunsetMs ?? Math.max(deprecatedMs ?? startMs, startMs) + 90 * dayMs
  const earliestMs = deprecatedMs ?? Math.min(latestMs, startMs)
  if (earliestMs > latestMs) {
    notes.push(
      'deprecation: the sunset is before the deprecation; the sandbox sends the sunset for both',
    )
  }
  return {
    deprecatedAt: toTimestamp(Math.min(earliestMs, latestMs)),
    sunsetAt: toTimestamp(latestMs),
  }
}

function readLink(value: string | undefined, notes: string[]): { link?: string } {
  const target = /<([^>]*)>[^,]*rel="?deprecation"?/.exec(value ?? '')?.[1]
  if (target === undefined) {
    notes.push(
      'deprecation: GET /pets/{petId} has no Link header with rel="deprecation"; the sandbox sends one',
    )
    return {}
  }
  if (validate(deprecationSchema, { link: target }).ok) return { link: target }
  notes.push(
    'deprecation: the target of the Link header has characters that a scenario cannot state',
  )
  return {}
}

import { z } from 'zod'
import { timestampSchema } from '../contract/schemas.js'
import { type Duration, toMilliseconds } from './duration.js'

/** How a scenario sets the clock of its world; without `now` it shows the real time. */
export const clockSchema = z.strictObject({
  now: timestampSchema
    .refine((now) => isInCalendar(Date.parse(now)), {
      error: 'a moment from the year 1000 to 8999',
    })
    .optional()
    .describe('The moment at which the world starts, ISO 8601; without it, the real time.'),
  frozen: z.boolean().optional().describe('Whether time stands still until it is moved.'),
})
export type ClockSettings = z.output<typeof clockSchema>

/** A world's clock leaves room for windows, bans and dates around it: all have four-digit years. */
function isInCalendar(ms: number): boolean {
  return ms >= Date.UTC(1000, 0) && ms < Date.UTC(9000, 0)
}

/** The time of one world: it runs beside the real time, stands still, or jumps. */
export class Clock {
  #offsetMs = 0
  #frozenAtMs: number | undefined

  /** @param realNow Milliseconds since 1970 of the real time. */
  constructor(readonly realNow: () => number) {}

  /** Starts anew as a scenario says. */
  start(settings: ClockSettings): void {
    this.#offsetMs = 0
    this.#frozenAtMs = undefined
    if (settings.now !== undefined) this.set(settings.now)
    if (settings.frozen) this.freeze()
  }

  /** Milliseconds since 1970 in this world. */
  now(): number {
    return this.#frozenAtMs ?? this.#wholeRealNow() + this.#offsetMs
  }

  get isFrozen(): boolean {
    return this.#frozenAtMs !== undefined
  }

  /** Stops the clock, at the given moment or where it is. */
  freeze(at?: Date | string | number): void {
    this.#frozenAtMs = at === undefined ? this.now() : toMoment(at)
  }

  /** Lets a frozen clock run on from where it stands. */
  run(): void {
    if (this.#frozenAtMs === undefined) return
    this.#offsetMs = this.#frozenAtMs - this.#wholeRealNow()
    this.#frozenAtMs = undefined
  }

  /**
   * Jumps to a moment, forwards or back; a frozen clock stays frozen there.
   *
   * @throws {RangeError} When the value is no moment.
   */
  set(to: Date | string | number): void {
    const moment = toMoment(to)
    if (this.#frozenAtMs !== undefined) this.#frozenAtMs = moment
    else this.#offsetMs = moment - this.#wholeRealNow()
  }

  /**
   * Jumps on by a duration: milliseconds, or ISO 8601 such as `PT90S`.
   *
   * @throws {RangeError} When the value is no duration, or the jump leaves the calendar.
   */
  advance(by: Duration): void {
    this.set(this.now() + toMilliseconds(by))
  }

  /** Moments are whole milliseconds: a snapshot writes no finer ones. */
  #wholeRealNow(): number {
    return Math.floor(this.realNow())
  }
}

/** Milliseconds since 1970 of a date, an ISO 8601 text or such a number itself. */
function toMoment(value: Date | string | number): number {
  const moment = typeof value === 'number' ? Math.floor(value) : new Date(value).getTime()
  if (isInCalendar(moment)) return moment
  throw new RangeError(
    `a moment must be a date, ISO 8601 or milliseconds since 1970, from the year 1000 to 8999, found ${JSON.stringify(value)}`,
  )
}

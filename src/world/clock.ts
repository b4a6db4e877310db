import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { timestampSchema } from '../service/schemas.js'

/** Schema of the clock settings of a scenario. */
export const clockSchema = z.strictObject({
  now: annotate(
    z.optional(
      timestampSchema.check(
        z.refine((now) => isInRange(Date.parse(now)), {
          error: 'a time from the year 1000 to 8999',
        }),
      ),
    ),
    'Time at which the world starts, ISO 8601. Default: the real time.',
  ),
  frozen: annotate(z.optional(z.boolean()), 'Whether the clock is stopped.'),
})
export type ClockSettings = z.output<typeof clockSchema>

/** End of the year 8999. A running clock stops there, so that a snapshot of it is valid. */
const latestMs = Date.UTC(9000, 0) - 1

/** Whether a time is in the years 1000 to 8999, so that dates derived from it have four-digit years. */
function isInRange(ms: number): boolean {
  return ms >= Date.UTC(1000, 0) && ms <= latestMs
}

/** The clock of a world. Runs at the speed of the real time; can be frozen and set to any time. */
export class Clock {
  #offsetMs = 0
  #frozenAtMs: number | undefined
  /** The waits. `check` ends a wait if its time has passed, or unconditionally. */
  readonly #waits = new Set<{ endMs: number; check(isOver?: boolean): void }>()
  /** Called when the number of waits has changed. @internal */
  onWaits: () => void = () => {}

  /**
   * @param realNow Returns the real time in milliseconds since the epoch.
   * @param onMoveBack Called after the clock was moved to an earlier time.
   * @param onChange Called after the clock was moved, stopped or started. @internal
   */
  constructor(
    /** @internal */ readonly realNow: () => number,
    /** @internal */ readonly onMoveBack: () => void = () => {},
    /** @internal */ readonly onChange: () => void = () => {},
  ) {}

  /**
   * Restarts the clock with the settings of a scenario. Returns the start in ms since the epoch.
   *
   * @param realNowMs Real time of the start, in milliseconds since the epoch. @internal
   */
  start(settings: ClockSettings, realNowMs = this.realNow()): number {
    const realMs = Math.floor(realNowMs)
    const startMs = settings.now === undefined ? realMs : toTime(settings.now)
    const frozenAtMs = settings.frozen ? startMs : undefined
    this.restore({ offsetMs: startMs - realMs, frozenAtMs })
    return startMs
  }

  /** Continues from a state of this clock. @internal */
  restore({ offsetMs, frozenAtMs }: { offsetMs: number; frozenAtMs?: number | undefined }): void {
    this.#offsetMs = offsetMs
    this.#frozenAtMs = frozenAtMs
  }

  /** Continues from a time of another clock, which may have another real time. @internal */
  continueFrom(timeMs: number, frozenAtMs: number | undefined): void {
    this.restore({ offsetMs: timeMs - Math.floor(this.realNow()), frozenAtMs })
  }

  /** Moves the running clock to a time of another clock, if it shows an earlier time. @internal */
  notBefore(timeMs: number): void {
    if (!this.isFrozen && this.now() < timeMs) this.continueFrom(timeMs, undefined)
  }

  /** Time of the world minus the real time, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Time of a frozen clock, in milliseconds since the epoch. */
  get frozenAtMs(): number | undefined {
    return this.#frozenAtMs
  }

  /** Returns the time of the world in milliseconds since the epoch. */
  now(): number {
    return this.#frozenAtMs ?? Math.min(latestMs, Math.floor(this.realNow()) + this.#offsetMs)
  }

  get isFrozen(): boolean {
    return this.#frozenAtMs !== undefined
  }

  /**
   * Stops the clock.
   *
   * @param at Date, ISO 8601 string or milliseconds since the epoch. Default: the current time.
   *
   * @throws {RangeError} If the value is not a valid time.
   */
  freeze(at?: Date | string | number): void {
    this.#move((nowMs) => (at === undefined ? nowMs : toTime(at)), true)
  }

  /** Lets a frozen clock run again, from its current time. */
  run(): void {
    if (this.isFrozen) this.#move((nowMs) => nowMs, false)
  }

  /**
   * Sets the clock to a later or earlier time. A frozen clock stays frozen.
   *
   * @param to Date, ISO 8601 string or milliseconds since the epoch.
   * @throws {RangeError} If the value is not a valid time.
   */
  set(to: Date | string | number): void {
    const timeMs = toTime(to)
    this.#move(() => timeMs)
  }

  /**
   * Advances the clock by a duration: milliseconds, or ISO 8601 such as `PT90S`. A negative
   * duration moves it back.
   *
   * @throws {RangeError} If the duration is invalid, or the result is not a valid time.
   */
  advance(by: Duration): void {
    const byMs = toMilliseconds(by)
    this.#move((nowMs) => toTime(nowMs + byMs))
  }

  /**
   * Waits for a time of this clock. Resolves when the clock has reached it, by running or by being
   * moved. A move back does not lengthen the wait. A frozen clock must be moved, or run again.
   *
   * @param sleep Waits for real time. Its signal stops it.
   * @param signal Ends the wait. @internal
   */
  wait(
    ms: number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer = new AbortController()
      const end = () => {
        timer.abort()
        if (this.#waits.delete(wait)) this.onWaits()
        resolve()
      }
      const check = async (isOver = false) => {
        timer.abort()
        const leftMs = wait.endMs - this.now()
        if (isOver || leftMs <= 0) return end()
        if (this.isFrozen) return
        const started = new AbortController()
        timer = started
        await sleep(leftMs, started.signal)
        if (!started.signal.aborted) end()
      }
      const wait = {
        endMs: this.now() + ms,
        check: (isOver?: boolean) => void check(isOver).catch(reject),
      }
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', end, { once: true })
      this.#waits.add(wait)
      this.onWaits()
      wait.check()
    })
  }

  /** Number of waits. @internal */
  get waits(): number {
    return this.#waits.size
  }

  /**
   * Ends the waits whose time has passed. The code after a wait is a step of the world, which is
   * executed once the current step is stored.
   *
   * @param isOver Whether to end all waits, because the world starts anew or is discarded. @internal
   */
  endWaits(isOver = false): void {
    for (const wait of [...this.#waits]) wait.check(isOver)
  }

  /** Moves the ends of the waits back with the clock, so that no wait becomes longer. @internal */
  keepWaits(fromMs: number, toMs: number): void {
    for (const wait of this.#waits) wait.endMs -= Math.max(0, fromMs - toMs)
  }

  /** Moves the clock. Reads the real time once, because a second reading would shift the clock. */
  #move(toTarget: (nowMs: number) => number, isFrozen = this.isFrozen): void {
    const realMs = Math.floor(this.realNow())
    const nowMs = this.#frozenAtMs ?? Math.min(latestMs, realMs + this.#offsetMs)
    const targetMs = toTarget(nowMs)
    this.keepWaits(nowMs, targetMs)
    this.restore({ offsetMs: targetMs - realMs, frozenAtMs: isFrozen ? targetMs : undefined })
    if (targetMs < nowMs) this.onMoveBack()
    this.endWaits()
    this.onChange()
  }
}

/** Returns the milliseconds since the epoch of a date, an ISO 8601 string or a number. */
export function toTime(value: Date | string | number): number {
  const timeMs = typeof value === 'number' ? Math.floor(value) : new Date(value).getTime()
  if (isInRange(timeMs)) return timeMs
  throw new RangeError(
    `a time must be a date, an ISO 8601 string or milliseconds since 1970, from the year 1000 to 8999, found ${JSON.stringify(value)}`,
  )
}

/** Milliseconds, or an ISO 8601 duration such as `PT90S`, `P1D` or `-P30D`. */
export type Duration = number | string

const pattern =
  /^(-)?P(?!$)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** ISO 8601 duration in weeks, days, hours, minutes and seconds. Months have no fixed length. */
export const isoDurationSchema = z.string().check(
  z.regex(pattern, {
    error: 'an ISO 8601 duration in W, D, H, M and S such as "PT90S" or "P1D"',
    abort: true,
  }),
)

/**
 * Returns the milliseconds of a duration.
 *
 * @throws {RangeError} If the value is neither a finite number nor an ISO 8601 duration.
 */
export function toMilliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration)) return duration
  const match = pattern.exec(String(duration))
  if (!match) {
    throw new RangeError(
      `a duration must be milliseconds or an ISO 8601 duration such as "PT90S", found ${JSON.stringify(duration)}`,
    )
  }
  const [, sign, ...amounts] = match
  const span = amounts.reduce(
    (sum, amount, unit) => sum + Number(amount ?? 0) * (unitsMs[unit] ?? 0),
    0,
  )
  return sign ? -span : span
}

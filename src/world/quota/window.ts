import { formatSecond, toTimestamp } from '../../service/timestamp.js'
import { type WindowName, type WindowSettings, windowLengthsMs } from './schema.js'

/** The state of a window. The reset is in milliseconds since the epoch, or null if none is open. */
export type WindowState = readonly [used: number, rejected: number, resetsAtMs: number | null]

/** One fixed window of a key (A06). Times are milliseconds since the epoch. */
export class RateLimitWindow {
  used = 0
  /** Number of requests rejected in this window. */
  rejected = 0
  /** End of the window; undefined until its first request. */
  resetsAtMs: number | undefined
  #describedMs = Number.NaN
  #limits = ''

  constructor(
    readonly name: WindowName,
    readonly limit: number,
  ) {}

  get remaining(): number {
    return Math.max(0, this.limit - this.used)
  }

  /** Whether it differs from a window that was never open. */
  get isUsed(): boolean {
    return this.used > 0 || this.rejected > 0 || this.resetsAtMs !== undefined
  }

  /** Describes the limit and the end of the window, once per window. */
  describeLimit(): string {
    const { resetsAtMs = 0 } = this
    if (resetsAtMs !== this.#describedMs) {
      this.#describedMs = resetsAtMs
      this.#limits = ['of ', this.limit, ', resets ', formatSecond(resetsAtMs)].join('')
    }
    return this.#limits
  }

  /** Starts a new window if none is open at the given time. */
  open(nowMs: number): void {
    this.close(nowMs)
    this.resetsAtMs ??= nowMs + windowLengthsMs[this.name]
  }

  /** Ends the window if the given time is before its start or after its end. */
  close(nowMs: number): void {
    if (this.resetsAtMs === undefined) return
    if (nowMs < this.resetsAtMs && !this.isAhead(nowMs)) return
    this.used = 0
    this.rejected = 0
    this.resetsAtMs = undefined
  }

  /** Whether the window starts after the given time. */
  isAhead(nowMs: number): boolean {
    const { resetsAtMs } = this
    return resetsAtMs !== undefined && nowMs < resetsAtMs - windowLengthsMs[this.name]
  }

  /** Returns the state after `open`, without changing the window. */
  peek(nowMs: number): { used: number; remaining: number; rejected: number; resetsAtMs: number } {
    const copy = new RateLimitWindow(this.name, this.limit)
    copy.used = this.used
    copy.rejected = this.rejected
    copy.resetsAtMs = this.resetsAtMs
    copy.open(nowMs)
    const { used, remaining, rejected, resetsAtMs = nowMs } = copy
    return { used, remaining, rejected, resetsAtMs }
  }

  /** Sets the given fields; the others keep their values. */
  set({ used, remaining, rejected, resetsAt }: WindowSettings): void {
    if (remaining !== undefined) this.used = Math.max(0, this.limit - remaining)
    if (used !== undefined) this.used = used
    if (rejected !== undefined) this.rejected = rejected
    if (resetsAt !== undefined) this.resetsAtMs = Date.parse(resetsAt)
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

  /** Returns the state in the form of a scenario file. */
  toSettings(): WindowSettings {
    const { used, rejected, resetsAtMs } = this
    return {
      used,
      rejected,
      ...(resetsAtMs !== undefined && { resetsAt: toTimestamp(resetsAtMs) }),
    }
  }
}

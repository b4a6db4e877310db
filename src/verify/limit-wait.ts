export interface LimitWaitOptions {
  /** Resolves after this many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The longest time to wait for limits, in seconds, in total. */
  readonly maxWaitSeconds: number
  /** Called with one line before each wait. */
  readonly notify: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** A timer may end a little early. */
const marginMs = 100

/** Waits for the limit of a key, within a total time. */
export class LimitWait {
  readonly #options: LimitWaitOptions
  /** How long it may still wait. */
  #seconds: number

  constructor(options: LimitWaitOptions) {
    this.#options = options
    this.#seconds = options.maxWaitSeconds
  }

  /** Whether a wait of this length is within what is left of the total time. */
  allows(seconds: number): boolean {
    return seconds <= this.#seconds
  }

  /**
   * Waits until the limit resets.
   *
   * @param cause Why it waits, such as `the key has no requests left`.
   * @throws The reason of the signal, if it is aborted.
   */
  async untilReset(seconds: number, cause: string): Promise<void> {
    const { signal } = this.#options
    this.#seconds -= seconds
    await this.pause(seconds, `${cause}; waits ${formatSeconds(seconds)}, then continues`, signal)
    signal?.throwIfAborted()
  }

  /** Waits without regard to the total time, and prints a line before. */
  async pause(seconds: number, line: string, signal?: AbortSignal): Promise<void> {
    const { sleep, notify } = this.#options
    notify(line)
    await sleep(seconds * 1000 + marginMs, signal)
  }
}

/** Formats a number of seconds: `42 s`, `3 min`, `5 h`. */
export function formatSeconds(number: number): string {
  const seconds = Math.max(0, Math.ceil(number))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}

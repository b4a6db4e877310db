/**
 * Work that can be interrupted: a generator that yields where another request may run. Its return
 * value is the result.
 */
export type Work<T> = Generator<void, T, void>

/** Performs work without interruption. Throws what the work throws. */
export function complete<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** The runtime functions that a {@link SliceRunner} uses. */
export interface SlicePlatform {
  /** Returns milliseconds of a monotonic clock. */
  monotonic(): number
  /** Resolves after the event loop has processed the events that are due. */
  yieldToEventLoop(): Promise<void>
}

/** Length of a slice in milliseconds. */
const sliceMs = 10

/**
 * Performs work in slices of about 10 ms, so that other requests are processed in between. Works
 * that are in progress at the same time take turns: one slice per turn of the event loop. A work
 * that fits in one slice is performed at once if no other is in progress.
 *
 * Without a platform, work is performed without interruption.
 */
export class SliceRunner {
  /** Works that wait for their next slice, in order. */
  readonly #waiting: (() => void)[] = []
  #isBusy = false

  constructor(readonly platform?: SlicePlatform) {}

  /**
   * Performs work and returns its result. Rejects with what the work throws, or with the reason of
   * the signal if it is aborted before the work has ended.
   */
  async run<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
    const { platform } = this
    if (!platform) return complete(work)
    if (this.#isBusy) await this.#wait()
    this.#isBusy = true
    try {
      for (;;) {
        signal?.throwIfAborted()
        const step = performSlice(work, platform)
        if (step.done) return step.value
        await platform.yieldToEventLoop()
        if (this.#waiting.length > 0) await this.#takeTurns()
      }
    } finally {
      this.#leave(platform)
    }
  }

  /** Waits for the next slice behind the other works. */
  #wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #takeTurns(): Promise<void> {
    const turn = this.#wait()
    this.#waiting.shift()?.()
    return turn
  }

  #leave(platform: SlicePlatform): void {
    const next = this.#waiting.shift()
    if (next) void platform.yieldToEventLoop().then(next)
    else this.#isBusy = false
  }
}

function performSlice<T>(work: Work<T>, platform: SlicePlatform): IteratorResult<void, T> {
  const endsAtMs = platform.monotonic() + sliceMs
  for (;;) {
    const step = work.next()
    if (step.done || platform.monotonic() >= endsAtMs) return step
  }
}

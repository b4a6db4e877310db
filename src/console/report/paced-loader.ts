/** Minimum pause between two loads, in milliseconds. */
export const minimumPauseMs = 3_000

/** Loads data. Resolves with the pause after the load, in milliseconds. */
type Load = () => Promise<number>

/**
 * Loads data again whenever it may have changed: one load at a time, with a pause after each, because
 * a load can cost the sandbox some seconds. Requests during a load or a pause become one load.
 */
export class PacedLoader {
  readonly #load: Load
  #isLoading = false
  #isRequested = false
  #isHeld = false
  #isStopped = false
  #pause: ReturnType<typeof setTimeout> | undefined

  /** @param load Loads the data. If it rejects, the data is requested again. */
  constructor(load: Load) {
    this.#load = load
  }

  /** Loads the data now, or as soon as possible. */
  request(): void {
    this.#isRequested = true
    this.#continue()
  }

  /** Postpones loads while nobody sees the data. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#continue()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#pause)
  }

  #continue(): void {
    const isWaiting = this.#isLoading || this.#pause !== undefined
    if (!this.#isRequested || this.#isHeld || this.#isStopped || isWaiting) return
    void this.#run()
  }

  async #run(): Promise<void> {
    this.#isLoading = true
    this.#isRequested = false
    let pauseMs = minimumPauseMs
    try {
      pauseMs = Math.max(pauseMs, await this.#load())
    } catch {
      this.#isRequested = true
    }
    this.#isLoading = false
    if (this.#isStopped) return
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#continue()
    }, pauseMs)
  }
}

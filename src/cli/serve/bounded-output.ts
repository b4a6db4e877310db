import type { Output } from '../terminal.js'

/** Number of characters that may wait for the reader of an output. */
const maximumPending = 1_048_576

/**
 * Writes lines to an output. Drops them when the reader of the output, such as a full pipe, is too
 * far behind: Node buffers what it cannot write, without a limit.
 *
 * After it has dropped a line, it drops all others until the output has drained, so that the
 * missing lines are in one place.
 */
export class BoundedOutput {
  #dropped = 0

  /**
   * @param describe Returns the line that reports dropped lines, with a line break.
   * @param limit Maximum number of pending characters.
   */
  constructor(
    readonly output: Output,
    readonly describe: (dropped: number) => string,
    readonly limit = maximumPending,
  ) {}

  write(text: string): void {
    const { output, limit } = this
    const { writableLength: pending = 0 } = output
    if (this.#dropped === 0 && pending + text.length <= limit) {
      output.write(text)
      return
    }
    if (this.#dropped === 0) this.#reportWhenDrained()
    this.#dropped += text.split('\n').length - 1
  }

  /** An empty write ends after all pending ones. Node emits `drain` only above `writableHighWaterMark`. */
  #reportWhenDrained(): void {
    this.output.write('', (error) => {
      if (error) return
      const dropped = this.#dropped
      this.#dropped = 0
      this.write(this.describe(dropped))
    })
  }
}

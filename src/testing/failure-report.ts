import { describeReceived, receivedHeading } from '../control/calls.js'
import { describeCalls } from '../control/describe-call.js'
import type { InProcessSandbox } from '../transport/in-process.js'
import type { JournalEntry } from '../world/journal.js'
import type { TestSandbox } from './test-sandbox.js'

const keptStrays = 10

/** The calls that come without the key of any test while one runs: no test's world has them. */
export class StrayCalls {
  readonly #entries: JournalEntry[] = []
  #count = 0
  /** Ends the watch. */
  readonly stop: () => void

  constructor(sandbox: InProcessSandbox) {
    this.stop = sandbox.subscribe((entry, world) => {
      // Only the key of a test has a label.
      if (world.name.label !== '') return
      this.#count += 1
      this.#entries.push(entry)
      if (this.#entries.length > keptStrays) this.#entries.shift()
    })
  }

  /** What a reader should know of them; empty when there were none. */
  describe(): string {
    if (this.#count === 0) return ''
    const calls = this.#count === 1 ? '1 call' : `${this.#count} calls`
    const hint = "with no test's key, so that no test's world has them"
    return `Meanwhile came ${calls} ${hint} (a client under test sends sandbox.apiKey):\n${describeCalls(this.#entries)}`
  }
}

/**
 * What a failed test shows beside its error: the calls that reached its worlds, each with its
 * explanation, and those that missed them.
 *
 * @param message The error's own message: what it tells already is left out.
 */
export function describeFailure(sandbox: TestSandbox, strays: StrayCalls, message: string): string {
  const { world, stagingWorld } = sandbox
  const parts = [
    message.includes(receivedHeading) ? '' : describeReceived(world.journal),
    stagingWorld.journal.size > 0 ? `In staging: ${describeReceived(stagingWorld.journal)}` : '',
    strays.describe(),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

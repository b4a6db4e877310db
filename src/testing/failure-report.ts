import type { InProcessSandbox } from '../in-process/sandbox.js'
import { describeEntries } from '../world/journal/describe.js'
import type { JournalEntry } from '../world/journal/journal.js'
import { describeReceived, receivedHeading } from '../world/journal/requests.js'
import type { TestSandbox } from './test-sandbox.js'

const keptStrays = 10

/** The calls that come without the key of any test while one runs: no test's world has them. */
export class StrayRequests {
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
    const came = this.#count === 1 ? '1 call came' : `${this.#count} calls came`
    const hint = `Meanwhile ${came} without the key of a test; a client under test sends sandbox.apiKey`
    return `${hint}:\n${describeEntries(this.#entries)}`
  }
}

/**
 * The message of a failed test's error with what its sandbox knows below it: the calls that reached
 * its worlds, each with its explanation, and those that missed them. What the message tells already
 * is left out.
 */
export function addReport(message: string, sandbox: TestSandbox, strays: StrayRequests): string {
  const { world, stagingWorld } = sandbox
  const parts = [
    message,
    message.includes(receivedHeading) ? '' : describeReceived(world.journal),
    stagingWorld.journal.size > 0 ? `In staging: ${describeReceived(stagingWorld.journal)}` : '',
    strays.describe(),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

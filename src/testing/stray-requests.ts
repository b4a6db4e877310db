import { toCount } from '../service/validation/message.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import { describeEntries } from '../world/journal/entry.js'

/** Finds the test that asynchronous code belongs to: an `AsyncLocalStorage`. */
export interface TestContext {
  enterWith(test: unknown): void
  getStore(): unknown
}

/** The requests during a test that do not have the key of a test. */
export class StrayRequests {
  readonly entries: RecordedEntry[] = []
  /** Stops recording. */
  readonly stop: () => void

  /**
   * @param context Assigns a request to one of several concurrent tests. Without it, and for a request
   * from code that no test has called, all of them record it.
   */
  constructor(sandbox: InProcessSandbox, context?: TestContext) {
    context?.enterWith(this)
    this.stop = sandbox.subscribe((entry, { name: { label } }) => {
      const sender = context?.getStore() ?? this
      // Only the key of a test has a label.
      if (label === '' && sender === this) this.entries.push(entry)
    })
  }

  /** Formats the requests. Returns an empty string if there are none. */
  describe(): string {
    const { length } = this.entries
    if (length === 0) return ''
    const sentence = `${toCount(length, 'requests')} arrived without the key of a test; the client must send sandbox.apiKey`
    return `${sentence}:\n${describeEntries(this.entries)}`
  }
}

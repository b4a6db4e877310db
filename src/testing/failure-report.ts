import { toCount } from '../service/validation/message.js'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'
import { describeEntries, describeReceived, receivedHeading } from '../world/journal/describe.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import { findAccountsAtRisk } from '../world/quota/ban-risk.js'
import type { WorldState } from '../world/world.js'
import type { ReservedSandbox } from './reserved-sandbox.js'

const retainedEntries = 10

/** Records the requests of a test run that do not have the key of a test. */
export class StrayRequests {
  readonly #entries: RecordedEntry[] = []
  #count = 0
  /** Stops recording. */
  readonly stop: () => void

  constructor(sandbox: InProcessSandbox) {
    this.stop = sandbox.subscribe((entry, world) => {
      // Only the key of a test has a label.
      if (world.name.label !== '') return
      this.#count += 1
      this.#entries.push(entry)
      if (this.#entries.length > retainedEntries) this.#entries.shift()
    })
  }

  /** Formats the recorded requests. Returns an empty string if there are none. */
  describe(): string {
    if (this.#count === 0) return ''
    const sentence = `${toCount(this.#count, 'requests')} arrived without the key of a test; the client must send sandbox.apiKey`
    return `${sentence}:\n${describeEntries(this.#entries)}`
  }
}

/**
 * Describes the accounts of worlds that are banned, or that the next rejection bans. Returns an
 * empty string if there are none.
 */
export function describeBans(worlds: readonly WorldState[]): string {
  const lines = worlds.flatMap((world) =>
    findAccountsAtRisk(world).map(({ name, description }) => `  ${name} ${description}`),
  )
  if (lines.length === 0) return ''
  const advice =
    'A client must wait for Retry-After before it retries. To lift a ban: world.quota.account(plan).set({ ban: null })'
  return ['Bans:', ...lines, advice].join('\n')
}

/**
 * Appends the requests of a failed test to its error message: those that its worlds received, with
 * their explanations, and those without the key of a test. Omits requests that the message already lists.
 * Then appends the bans of the worlds.
 */
export function addReport(
  message: string,
  sandbox: ReservedSandbox,
  strays: StrayRequests,
): string {
  const staging = sandbox.findStagingWorld()?.journal
  const parts = [
    message,
    message.includes(receivedHeading) ? '' : describeReceived(sandbox.world.journal.read()),
    staging && staging.size > 0 ? `Staging: ${describeReceived(staging.read())}` : '',
    strays.describe(),
    describeBans(sandbox.worlds()),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

import {
  describeReceived,
  type JournalEntry,
  type JournalView,
  type PendingRequest,
  type RecordedEntry,
  toJournalEntry,
} from '../../world/journal/entry.js'
import {
  type RequestConditions,
  type RequestQuery,
  toRequestFilter,
} from '../../world/journal/filter.js'
import {
  countRequests,
  findRequests,
  type Requests,
  type WaitOptions,
  waitForRequest,
} from '../../world/journal/requests.js'
import type { ControlClient } from '../client/client.js'
import type { ControlResult } from '../operations.js'
import { readEntry } from './entry.js'
import type { RemoteFeed } from './feed.js'
import { copyJournal, type Remote, type RemoteSource } from './mapped.js'

/** The requests that a remote world received. */
export class RemoteRequests
  implements
    Remote<Requests, 'find' | 'count' | 'unmatched' | 'pending' | 'clear' | 'waitFor'>,
    RemoteSource
{
  readonly #client: ControlClient
  readonly #feed: RemoteFeed

  /** @internal */
  constructor(client: ControlClient, feed: RemoteFeed) {
    this.#client = client
    this.#feed = feed
  }

  /**
   * Resolves to the retained requests that match an operation or a filter, oldest first. Default: all
   * of them.
   *
   * @param conditions Additional conditions.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If the journal does not have what the filter compares, such as a long body.
   */
  async find(
    query: RequestQuery = {},
    conditions: RequestConditions = {},
  ): Promise<JournalEntry[]> {
    const journal = await readJournal(this.#client)
    return findRequests(journal, toRequestFilter(query, journal.codes, conditions))
  }

  /**
   * Resolves to the number of requests that match an operation or a filter.
   *
   * @param conditions Additional conditions.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   * @throws {Error} If a pending request may match, or the journal lacks entries or what is compared.
   */
  async count(query: RequestQuery = {}, conditions: RequestConditions = {}): Promise<number> {
    const journal = await readJournal(this.#client)
    return countRequests(journal, toRequestFilter(query, journal.codes, conditions))
  }

  /**
   * Resolves to the requests that have been received and have no response yet, oldest first. Not
   * those without a valid key.
   */
  async pending(): Promise<readonly PendingRequest[]> {
    const { pending } = await this.#client.send('getJournal', { query: { limit: 0 } })
    return pending.map(readPending)
  }

  /** Removes all entries of the journal. Ids continue. */
  async clear(): Promise<void> {
    await this.#client.send('clearRequests')
  }

  /** Copies the journal, for matchers. */
  [copyJournal](): Promise<JournalView> {
    return readJournal(this.#client)
  }

  /** Resolves to the retained requests that matched no operation, oldest first. */
  unmatched(): Promise<JournalEntry[]> {
    return this.find({ unmatched: true })
  }

  /**
   * Waits for a request that matches an operation or a filter. Requests that are already in the
   * journal count.
   *
   * Rejects on timeout with an `Error` that lists the received requests. Rejects with a
   * `RemoteError` if the sandbox cannot be reached, with a `TypeError` if the code of the filter is
   * unknown, and if the journal does not have what decides.
   *
   * @returns The matching entry. With `atLeast`, the last of them.
   * @throws {TypeError} Synchronously, if an option or another field of the filter is invalid.
   */
  waitFor(query: RequestQuery = {}, options: WaitOptions = {}): Promise<JournalEntry> {
    // The sandbox knows the codes of its faults.
    const anyCode = typeof query === 'object' && typeof query?.code === 'string' ? [query.code] : []
    const filter = toRequestFilter(query, anyCode)
    /** The entries so far. Undefined until the journal has been read. */
    let entries: RecordedEntry[] | undefined
    const describe = () =>
      entries
        ? describeReceived({ entries, pending: [] })
        : 'The sandbox did not send its journal in this time.'
    const matched = waitForRequest(filter, options, describe, (see, fail) => {
      const arrived: RecordedEntry[] = []
      /** Id of the latest entry in the journal. The feed can pass on this entry and earlier ones later. */
      let newestId = 0
      const onEntry = (entry: RecordedEntry) => {
        if (!entries) arrived.push(entry)
        else if (entry.id > newestId) {
          entries.push(entry)
          see({ entries: [entry] })
        }
      }
      const onRestart = () => {
        newestId = 0
      }
      const listening = this.#feed.listen({ onEntry, onRestart, onError: fail })
      const start = async () => {
        await listening
        const journal = await readJournal(this.#client)
        toRequestFilter(query, journal.codes)
        entries = [...journal.entries]
        newestId = journal.newestId
        see({ ...journal, pending: [] })
        for (const entry of arrived) onEntry(entry)
      }
      start().catch(fail)
      return () => void listening.then((stop) => stop(), fail)
    })
    return matched.then(toJournalEntry)
  }
}

type ShownJournal = ControlResult<'getJournal'>

/** The journal of a remote world at one time. */
interface JournalCopy extends JournalView {
  /** Id of the latest entry, which may not be retained. 0 if there is none. */
  readonly newestId: number
}

/** Copies the journal of a world. */
async function readJournal(client: ControlClient): Promise<JournalCopy> {
  const { requests, ...shown } = await client.send('getJournal')
  const entries = requests.toReversed().map(readEntry)
  return { ...shown, entries, pending: shown.pending.map(readPending) }
}

/** Converts a pending request of the control API. */
function readPending({
  receivedAt,
  operation,
  apiKey,
  ...same
}: ShownJournal['pending'][number]): PendingRequest {
  return {
    ...same,
    receivedAtMs: Date.parse(receivedAt),
    operation: operation ?? undefined,
    apiKey: apiKey ?? undefined,
  }
}

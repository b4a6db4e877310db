import type { RecordedEntry } from '../../world/journal/entry.js'
import type { Journal } from '../../world/journal/journal.js'
import type { ControlClient } from '../client/client.js'
import { maximumEntries, readEntry } from './entry.js'
import type { RemoteFeed } from './feed.js'
import type { Remote } from './mapped.js'

/** The journal of a remote world. */
export class RemoteJournal implements Remote<Journal, 'entries' | 'size' | 'subscribe'> {
  readonly #client: ControlClient
  readonly #feed: RemoteFeed

  /** @internal */
  constructor(client: ControlClient, feed: RemoteFeed) {
    this.#client = client
    this.#feed = feed
  }

  /** Resolves to the retained entries, oldest first. */
  async entries(): Promise<readonly RecordedEntry[]> {
    const query = { limit: maximumEntries }
    const newestFirst = await this.#client.send('listRequests', { query })
    return newestFirst.toReversed().map(readEntry)
  }

  /** Number of retained entries. */
  get size(): Promise<number> {
    return this.#client.send('getOverview').then(({ counts }) => counts.requests)
  }

  /**
   * Registers a listener for new entries. Resolves, when the event stream is open, to a function that
   * removes it. The stream is opened again when it breaks, and missed entries are read.
   *
   * @throws {RemoteError} If the stream cannot be opened.
   */
  subscribe(listener: (entry: RecordedEntry) => void): Promise<() => void> {
    // Later requests of the handle report the error that ended the stream.
    return this.#feed.listen({ onEntry: listener, onRestart: () => {}, onError: () => {} })
  }
}

import type { RecordedEntry } from '../../world/journal/entry.js'
import type { ControlClient } from '../client/client.js'
import { RemoteError } from '../client/error.js'
import { followEvents, type ShownEntry } from '../client/events.js'
import { maximumEntries, readEntry } from './entry.js'

/** Receives what a feed reads. */
export interface FeedListener {
  onEntry(entry: RecordedEntry): void
  /** Called when the world has restarted or was evicted, so that later entries can have earlier ids. */
  onRestart(): void
  /** Called when the feed has ended for a reason that another attempt does not remove. */
  onError(error: unknown): void
}

/**
 * The new journal entries of a world: one event stream for all listeners of a handle. Reads the
 * entries that were missed while the stream was not open.
 */
export class RemoteFeed {
  readonly #client: ControlClient
  readonly #listeners = new Set<FeedListener>()
  /** Resolves when the stream is open. Undefined without a listener. */
  #opening: Promise<void> | undefined
  #stopping = new AbortController()
  /** The run of the world that the latest stream belongs to. Undefined until a stream is open. */
  #generation: string | undefined
  /** The id of the latest entry that the listeners have received. */
  #lastId = 0

  constructor(client: ControlClient) {
    this.#client = client
  }

  /**
   * Adds a listener for new entries. Resolves, when the stream is open, to a function that removes
   * it. The stream is closed with the last listener.
   *
   * @throws {RemoteError} If the stream cannot be opened.
   */
  async listen(listener: FeedListener): Promise<() => void> {
    this.#listeners.add(listener)
    const remove = () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
    try {
      this.#opening ??= this.#start()
      await this.#opening
    } catch (error) {
      remove()
      throw error
    }
    return remove
  }

  #stop(): void {
    this.#stopping.abort()
    this.#opening = undefined
  }

  /** Follows the stream. Resolves when it is open for the first time. */
  #start(): Promise<void> {
    this.#stopping = new AbortController()
    this.#generation = undefined
    const { signal } = this.#stopping
    return new Promise((resolve, reject) => {
      const followed = followEvents(
        this.#client,
        {
          onOpen: async (generation) => {
            await this.#readMissed(generation, signal)
            resolve()
          },
          onEntry: (entry) => this.#emit(entry),
          onEnd: (reason) => {
            if (reason === 'evicted') this.#restart()
          },
          onFailure: (error) => {
            if (this.#generation === undefined || !isTransient(error)) throw error
          },
        },
        signal,
      )
      followed.catch((error: unknown) => {
        reject(error)
        if (!signal.aborted) this.#fail(error)
      })
    })
  }

  #fail(error: unknown): void {
    this.#opening = undefined
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener.onError(error)
  }

  /** Passes on the entries since the latest one. The first stream has none. */
  async #readMissed(generation: string, signal: AbortSignal): Promise<void> {
    const isFirst = this.#generation === undefined
    // A restart removes all entries, and after an eviction ids begin again.
    if (!isFirst && generation !== this.#generation) this.#restart()
    const query = isFirst ? { limit: 1 } : { after: this.#lastId, limit: maximumEntries }
    const missed = await this.#client.send('listRequests', { query, signal })
    this.#generation = generation
    if (isFirst) this.#lastId = missed[0]?.id ?? 0
    else for (const entry of missed.toReversed()) this.#emit(entry)
  }

  #restart(): void {
    this.#lastId = 0
    for (const listener of [...this.#listeners]) listener.onRestart()
  }

  #emit(shown: ShownEntry): void {
    if (shown.id <= this.#lastId) return
    this.#lastId = shown.id
    const entry = readEntry(shown)
    for (const listener of [...this.#listeners]) listener.onEntry(entry)
  }
}

/** Whether the same request can succeed later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false
  const { code, status = 503 } = error
  return code !== 'closed' && status >= 500
}

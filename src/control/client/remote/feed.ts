import { startTimer, stopTimer } from '../../../service/timers.js'
import type { RecordedEntry } from '../../../world/journal/entry.js'
import type { StreamEnd } from '../../event-feed.js'
import type { RemoteClient } from './client.js'
import { maximumEntries, readEntry } from './entry.js'
import { RemoteError } from './error.js'
import { EventReader } from './event-reader.js'

/** Delays before each attempt to reconnect after a failure, in milliseconds. The last one repeats. */
const delaysMs = [100, 500, 1_000, 2_000, 5_000]

/** Minimum interval between two reconnections after restarts, in milliseconds. */
const restartIntervalMs = 500

/** A stream without a comment or an event for this time is broken, in milliseconds. */
const idleMs = 45_000

/** Receives what a feed reads. */
export interface FeedListener {
  onEntry(entry: RecordedEntry): void
  /** Called when the world has restarted or was evicted, so that later entries can have earlier ids. */
  onRestart(): void
  /** Called when the feed has ended for a reason that another attempt does not remove. */
  onError(error: unknown): void
}

/**
 * The new journal entries of a world: one event stream for all listeners of a handle. Opens the
 * stream again when it breaks and when the world restarts, and then reads the missed entries.
 */
export class RemoteFeed {
  readonly #client: RemoteClient
  readonly #listeners = new Set<FeedListener>()
  /** Resolves when the stream is open. Undefined without a listener. */
  #opening: Promise<void> | undefined
  #stopping = new AbortController()
  #generation: string | null = null
  /** The id of the latest entry that the listeners have received. */
  #lastId = 0

  constructor(client: RemoteClient) {
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
    const remove = () => this.#remove(listener)
    try {
      this.#opening ??= this.#start()
      await this.#opening
    } catch (error) {
      remove()
      throw error
    }
    return remove
  }

  #remove(listener: FeedListener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#stop()
  }

  #stop(): void {
    this.#stopping.abort()
    this.#opening = undefined
  }

  /** Opens the stream, and then reads it until it is stopped. */
  async #start(): Promise<void> {
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    const [newest] = await this.#client.send('listRequests', { query: { limit: 1 } })
    this.#lastId = newest?.id ?? 0
    this.#generation = null
    const first = await this.#open(signal)
    void this.#follow(first, signal)
  }

  async #follow(first: Response, signal: AbortSignal): Promise<void> {
    try {
      // Two clients whose worlds evict each other must not reconnect in a loop.
      let interval = Promise.resolve()
      let isRestart = await this.#read(first, signal)
      while (!signal.aborted) {
        if (isRestart) {
          await interval
          interval = pause(restartIntervalMs)
        }
        isRestart = await this.#read(await this.#reopen(signal), signal)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#opening = undefined
      for (const listener of [...this.#listeners]) {
        this.#listeners.delete(listener)
        listener.onError(error)
      }
    }
  }

  /** Opens the stream again. Retries until it succeeds, or another attempt cannot. */
  async #reopen(signal: AbortSignal): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#open(signal)
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error
        await pause(delaysMs[Math.min(attempt, delaysMs.length - 1)] ?? 0)
      }
    }
  }

  /** Opens the stream, and passes on the entries since the latest one. */
  async #open(signal: AbortSignal): Promise<Response> {
    const response = await this.#client.open('streamEvents', signal)
    const generation = response.headers.get('Sandbox-World-Generation')
    // A restart removes all entries, and after an eviction ids begin again.
    if (this.#generation !== null && generation !== this.#generation) this.#restart()
    this.#generation = generation
    const [newest] = await this.#client.send('listRequests', { query: { limit: 1 } })
    const missed = (newest?.id ?? 0) - this.#lastId
    if (missed > 0) {
      const query = { limit: Math.min(missed, maximumEntries) }
      const entries = await this.#client.send('listRequests', { query })
      signal.throwIfAborted()
      for (const entry of entries.toReversed()) this.#emit(readEntry(entry))
    }
    return response
  }

  #restart(): void {
    this.#lastId = 0
    for (const listener of [...this.#listeners]) listener.onRestart()
  }

  #emit(entry: RecordedEntry): void {
    if (entry.id <= this.#lastId) return
    this.#lastId = entry.id
    for (const listener of [...this.#listeners]) listener.onEntry(entry)
  }

  /** Reads a stream to its end. Resolves to whether the world restarted or was evicted. */
  async #read({ body }: Response, signal: AbortSignal): Promise<boolean> {
    const reader = body?.getReader()
    if (!reader) return false
    const cancel = () => void reader.cancel().catch(() => {})
    signal.addEventListener('abort', cancel, { once: true })
    const events = new EventReader()
    const decoder = new TextDecoder()
    try {
      for (;;) {
        const timer = startTimer(cancel, idleMs)
        const { done, value } = await reader.read().finally(() => stopTimer(timer))
        if (done) return false
        for (const { type, data } of events.push(decoder.decode(value, { stream: true }))) {
          if (type === 'request') this.#emit(readEntry(JSON.parse(data)))
          if (type === 'end') return this.#onEnd(JSON.parse(data))
        }
      }
    } catch {
      // The connection is broken.
      return false
    } finally {
      signal.removeEventListener('abort', cancel)
      cancel()
    }
  }

  #onEnd({ reason }: StreamEnd): boolean {
    if (reason === 'evicted') this.#restart()
    return true
  }
}

/** Resolves after a real time in milliseconds. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => startTimer(resolve, ms))
}

/** Whether the same request can succeed later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false
  const { code, status = 503 } = error
  return code !== 'closed' && status >= 500
}

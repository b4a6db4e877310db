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
  type WaitOptions,
  waitForRequest,
} from '../../world/journal/requests.js'
import { type ControlClient, wholeList } from '../client/client.js'
import { RemoteError } from '../client/error.js'
import { followEvents, type ShownEntry } from '../client/events.js'
import type { ControlResult } from '../operations.js'
import { hideMembers, type RemoteWorld } from './world.js'

/** Creates the journal of a remote world. */
export function createJournal(client: ControlClient, feed: RemoteFeed): RemoteWorld['journal'] {
  return hideMembers({
    entries: async () => [...readJournal(await client.send('getJournal')).entries],
    get size() {
      return client.send('getOverview').then(({ counts }) => counts.requests)
    },
    // Later requests of the handle report the error that ended the stream.
    subscribe: (listener) => feed.listen({ onEntry: listener, onError: () => {} }),
  })
}

/** Creates the requests of a remote world. */
export function createRequests(client: ControlClient, feed: RemoteFeed): RemoteWorld['requests'] {
  const search = async (query: RequestQuery = {}, conditions: RequestConditions = {}) => {
    const journal = readJournal(await client.send('getJournal'))
    return [journal, toRequestFilter(query, journal.codes, conditions)] as const
  }
  return {
    find: async (...args) => findRequests(...(await search(...args))),
    count: async (...args) => countRequests(...(await search(...args))),
    unmatched: async () => findRequests(...(await search({ unmatched: true }))),
    pending: async () =>
      readJournal(await client.send('getJournal', { query: { limit: 0 } })).pending,
    async clear() {
      await client.send('clearRequests')
    },
    waitFor: (query = {}, options = {}) => waitFor(client, feed, query, options),
  }
}

/** Reads the journal of a remote world, and follows its event stream until a request matches. */
function waitFor(
  client: ControlClient,
  feed: RemoteFeed,
  query: RequestQuery,
  options: WaitOptions,
): Promise<JournalEntry> {
  // The sandbox knows the codes of its faults.
  const anyCode = typeof query === 'object' && typeof query?.code === 'string' ? [query.code] : []
  const filter = toRequestFilter(query, anyCode)
  /** The entries so far. Undefined until the journal has been read. */
  let entries: RecordedEntry[] | undefined
  const describe = () =>
    entries
      ? describeReceived({ entries, pending: [] })
      : 'The sandbox did not send its journal in this time.'
  const matched = waitForRequest(filter, options, describe, (see, onError) => {
    const onEntry = (entry: RecordedEntry, generation: number) =>
      void reading.then((known) => {
        // The stream can pass on later what the journal already has.
        if (generation < known.generation) return
        if (generation === known.generation && entry.id <= known.newestId) return
        known.entries.push(entry)
        see({ entries: [entry] })
      }, onError)
    const listening = feed.listen({ onEntry, onError })
    const reading = listening.then(async () => {
      const { body, generation } = await client.request('getJournal')
      const journal = readJournal(body)
      toRequestFilter(query, journal.codes)
      entries = [...journal.entries]
      see({ ...journal, pending: [] })
      return { entries, newestId: body.newestId, generation: Number(generation) }
    })
    reading.catch(onError)
    return () => void listening.then((stop) => stop(), onError)
  })
  return matched.then(toJournalEntry)
}

/** Receives what a feed reads. */
interface FeedListener {
  /** @param generation The run of the world that received the request. Larger after each restart. */
  onEntry(entry: RecordedEntry, generation: number): void
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
    this.#opening ??= this.#open()
    await this.#opening
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#close()
    }
  }

  #open(): Promise<void> {
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    return new Promise((resolve, reject) => {
      this.#follow(signal, resolve).catch((error: unknown) => {
        reject(error)
        if (signal.aborted) return
        const listeners = [...this.#listeners]
        this.#close()
        for (const listener of listeners) listener.onError(error)
      })
    })
  }

  #close(): void {
    this.#stopping.abort()
    this.#opening = undefined
    this.#listeners.clear()
  }

  async #follow(signal: AbortSignal, onOpen: () => void): Promise<void> {
    /** The run of the world that the latest stream belongs to. NaN until a stream is open. */
    let generation = Number.NaN
    /** The id of the latest entry that the listeners have received. */
    let lastId = 0
    const readMissed = async (current: string): Promise<readonly ShownEntry[]> => {
      const isFirst = Number.isNaN(generation)
      // A restart removes all entries, and after an eviction ids begin again.
      if (generation !== Number(current)) lastId = 0
      const query = isFirst ? { limit: 1 } : { after: lastId, ...wholeList }
      const missed = await this.#client.send('listRequests', { query, signal })
      generation = Number(current)
      if (!isFirst) return missed.toReversed()
      lastId = missed[0]?.id ?? 0
      return []
    }
    for await (const event of followEvents(this.#client, signal, readMissed)) {
      if (event.type === 'open') onOpen()
      if (event.type === 'lost' && (Number.isNaN(generation) || !isTransient(event.error))) {
        throw event.error
      }
      if (event.type !== 'request' || event.entry.id <= lastId || signal.aborted) continue
      lastId = event.entry.id
      const entry = readEntry(event.entry)
      for (const listener of [...this.#listeners]) listener.onEntry(entry, generation)
    }
  }
}

/** Whether the same request can succeed later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false
  const { code, status = 503 } = error
  return code !== 'closed' && status >= 500
}

/** Converts a journal of the control API. */
export function readJournal(shown: ControlResult<'getJournal'>): JournalView {
  const entries = shown.requests.toReversed().map(readEntry)
  const pending = shown.pending.map(({ receivedAt, ...same }) =>
    withoutNull<PendingRequest>({ ...same, receivedAtMs: Date.parse(receivedAt) }),
  )
  return { ...shown, entries, pending }
}

/** Converts a journal entry of the control API. */
function readEntry({
  at,
  userHandled,
  request,
  response,
  incomplete,
  ...same
}: ShownEntry): RecordedEntry {
  const { headers: requestHeaders, body: requestBody, ...sent } = request
  const { headers: responseHeaders, body: responseBody, ...received } = response
  return withoutNull<RecordedEntry>({
    ...same,
    ...sent,
    ...received,
    atMs: Date.parse(at),
    isUserHandled: userHandled,
    query: request.query ?? '',
    requestHeaders: Object.entries(requestHeaders).flat(),
    requestBody,
    responseHeaders: Object.entries(responseHeaders).flat(),
    responseBody,
    incomplete: incomplete.length > 0 ? incomplete : null,
  })
}

/** Replaces null, with which JSON states that a field has no value, by undefined. */
function withoutNull<T>(fields: { readonly [Name in keyof T]-?: unknown }): T {
  const entries = Object.entries(fields).map(([name, value]) => [name, value ?? undefined])
  return Object.fromEntries(entries) as T // the same fields
}

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
import type { ControlClient } from '../client/client.js'
import { RemoteError } from '../client/error.js'
import { followEvents, type ShownEntry } from '../client/events.js'
import type { ControlResult } from '../operations.js'
import { hideMembers, type RemoteWorld } from './world.js'

/** Creates the journal of a remote world. */
export function createJournal(client: ControlClient, listen: Listen): RemoteWorld['journal'] {
  return hideMembers({
    entries: async () => [...readJournal(await client.send('getJournal')).entries],
    get size() {
      return client.send('getOverview').then(({ counts }) => counts.requests)
    },
    // Later requests of the handle report the error that ended the stream.
    subscribe: (listener) => listen({ onEntry: (entry) => listener(entry), onError: () => {} }),
  })
}

/** Creates the requests of a remote world. */
export function createRequests(client: ControlClient, listen: Listen): RemoteWorld['requests'] {
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
    clear: () => client.perform('clearRequests'),
    waitFor: (query = {}, options = {}) => waitFor(client, listen, query, options),
  }
}

/** Reads the journal of a remote world, and follows its event stream until a request matches. */
function waitFor(
  client: ControlClient,
  listen: Listen,
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
    const listening = listen({ onEntry, onError })
    const reading = listening.then(async () => {
      const { body, generation } = await client.request('getJournal')
      const journal = readJournal(body)
      toRequestFilter(query, journal.codes)
      entries = [...journal.entries]
      see({ ...journal, pending: [] })
      return { entries, newestId: body.newestId, generation }
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
  /** Called when the feed has ended for a reason that a retry cannot resolve. */
  onError(error: unknown): void
}

/**
 * Adds a listener for the new journal entries of a world. Resolves, when the event stream is open, to a
 * function that removes it. Rejects if the stream cannot be opened.
 */
export type Listen = (listener: FeedListener) => Promise<() => void>

/**
 * Creates the feed of a handle: one event stream for all of its listeners. It is closed with the last
 * one.
 */
export function createFeed(client: ControlClient): Listen {
  const listeners = new Set<FeedListener>()
  let stopping = new AbortController()
  /** Resolves when the stream is open. Undefined without a listener. */
  let opening: Promise<void> | undefined
  const close = () => {
    stopping.abort()
    opening = undefined
    listeners.clear()
  }
  const open = () =>
    new Promise<void>((resolve, reject) => {
      stopping = new AbortController()
      const { signal } = stopping
      follow(client, signal, listeners, resolve).catch((error: unknown) => {
        reject(error)
        if (signal.aborted) return
        for (const listener of listeners) listener.onError(error)
        close()
      })
    })
  return async (listener) => {
    listeners.add(listener)
    opening ??= open()
    await opening
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) close()
    }
  }
}

/** Passes on each new entry once, including entries that were missed while the stream was not open. */
async function follow(
  client: ControlClient,
  signal: AbortSignal,
  listeners: ReadonlySet<FeedListener>,
  onOpen: () => void,
): Promise<void> {
  /** The run of the world whose journal was read last. Undefined until a stream is open. */
  let generation: number | undefined
  /** The id of the latest entry that the listeners have received. */
  let lastId = 0
  const readMissed = async () => {
    const query = { limit: generation === undefined ? 0 : undefined }
    // The world can have restarted since the stream was opened.
    const { body, generation: current } = await client.request('getJournal', { query, signal })
    // A restart removes all entries, and after an eviction ids begin again.
    if (current !== generation) lastId = generation === undefined ? body.newestId : 0
    generation = current
    return body.requests.toReversed()
  }
  for await (const event of followEvents(client, signal, readMissed)) {
    if (event.type === 'open') onOpen()
    if (event.type === 'lost' && (generation === undefined || !isTransient(event.error))) {
      throw event.error
    }
    if (event.type !== 'request' || event.entry.id <= lastId || signal.aborted) continue
    lastId = event.entry.id
    const entry = readEntry(event.entry)
    for (const { onEntry } of [...listeners]) onEntry(entry, generation ?? 0)
  }
}

/** Whether the same request can succeed later. */
function isTransient(error: unknown): boolean {
  return error instanceof RemoteError && error.code !== 'closed' && (error.status ?? 503) >= 500
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

/** Replaces null, which stands for a missing value in JSON, with undefined. */
function withoutNull<T>(fields: { readonly [Name in keyof T]-?: unknown }): T {
  const entries = Object.entries(fields).map(([name, value]) => [name, value ?? undefined])
  return Object.fromEntries(entries) as T // the same fields
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { followEvents } from '../../control/client/events.js'
import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toFailure } from '../session/failure.js'

/** The journal of a world as far as it has been loaded. */
export interface LoadedJournal {
  /** Newest first. */
  readonly entries: readonly JournalEntry[]
  /** Whether the newest entries have been loaded. */
  readonly isLoaded: boolean
  /** Whether all entries have been loaded that the sandbox retains, at most `maximumEntries`. */
  readonly isComplete: boolean
  /** Maximum number of entries that the sandbox retains. */
  readonly capacity: number
  /** Number of entries that the sandbox retained when they were loaded. */
  readonly retained: number
  /** Number of requests since the journal was cleared, including those that are no longer retained. */
  readonly received: number
  /** Why the latest attempt to load the entries failed. */
  readonly failure?: Failure | undefined
}

const emptyJournal: LoadedJournal = {
  entries: [],
  isLoaded: false,
  isComplete: false,
  capacity: 0,
  retained: 0,
  received: 0,
}

/** Maximum number of entries of a page. */
export const maximumEntries = 10_000

/** Number of entries that one request loads: more would block the page. */
const chunkLength = 250

/** Pause before another attempt to load the entries after a failure, in milliseconds. */
const retryMs = 2_000

/** Loads a journal, newest entries first. Yields what has been loaded so far. */
export async function* loadJournal(client: PageClient): AsyncGenerator<LoadedJournal> {
  const query = { limit: chunkLength }
  const head = await client.send('getJournal', { query })
  const { retained, dropped, capacity } = head
  let chunk: readonly JournalEntry[] = head.requests
  let entries = chunk
  while (true) {
    const isComplete =
      chunk.length < chunkLength || entries.length >= Math.min(retained, maximumEntries)
    const received = retained + dropped
    yield { entries, isLoaded: true, isComplete, capacity, retained, received }
    if (isComplete) return
    const before = entries.at(-1)?.id
    chunk = await client.send('listRequests', { query: { ...query, before } })
    entries = [...entries, ...chunk]
  }
}

/** Adds entries that have arrived, each of them once. */
export function addEntries(journal: LoadedJournal, added: readonly JournalEntry[]): LoadedJournal {
  const { entries: known, received, capacity } = journal
  const ids = new Set(known.map(({ id }) => id))
  const fresh = added.filter(({ id }) => !ids.has(id))
  const entries = [...fresh, ...known]
    .sort((a, b) => b.id - a.id)
    .slice(0, Math.min(capacity, maximumEntries))
  return { ...journal, entries, received: received + fresh.length }
}

/** The journal of a world and what happens to it. */
interface JournalState {
  readonly journal: LoadedJournal
  /** The state of the event stream. */
  readonly stream: {
    /** `opening`: for the first time. `lost`: it has ended, or could not be opened. */
    readonly kind: 'opening' | 'open' | 'lost'
    /** Why the stream was lost. */
    readonly failure?: Failure
  }
  /** Says that the world has restarted, until the next request. */
  readonly note?: string | undefined
  /** Changes when entries arrive, or others replace them. */
  readonly revision: number
}

const initial: JournalState = { journal: emptyJournal, stream: { kind: 'opening' }, revision: 0 }

export type LiveJournal = ReturnType<typeof useJournal>

/** Loads the journal of a world, and follows it. */
export function useJournal(client: PageClient) {
  const [latest, setLatest] = useState({ ...initial, client })
  const loader = useRef(() => {})
  useEffect(() => {
    const stopping = new AbortController()
    loader.current = followJournal(client, stopping.signal, (change) =>
      setLatest((before) => {
        if (stopping.signal.aborted) return before
        const state = before.client === client ? before : { ...initial, client }
        return { ...state, ...change(state) }
      }),
    )
    return () => stopping.abort()
  }, [client])
  const { journal, stream, note, revision } = latest.client === client ? latest : initial
  const lastChangeId = useMemo(
    () => journal.entries.find(({ changes }) => changes.length > 0)?.id ?? 0,
    [journal.entries],
  )
  return {
    ...journal,
    stream,
    /** Why the journal may not be up to date; undefined if it is, or is being loaded. */
    failure: stream.failure ?? journal.failure,
    note,
    revision,
    /** Id of the newest entry that changed data; 0 if there is none. */
    lastChangeId,
    /** Loads the entries again. Call it if the journal may have been cleared. */
    reload: useCallback(() => loader.current(), []),
  }
}

/** Entries are added in batches, because a render for each request would be slow. */
const batchMs = 200

const notes = {
  restarted: 'The world was restarted.',
  evicted: 'The sandbox evicted the world; a new one has started.',
} as const

/** Loads the journal of a world, and follows it. Returns a function that loads it again. */
function followJournal(
  client: PageClient,
  signal: AbortSignal,
  update: (change: (before: JournalState) => Partial<JournalState>) => void,
): () => void {
  let loads = 0
  /** Entries that have arrived since the load began. */
  let arrived: readonly JournalEntry[] = []
  let batch: JournalEntry[] = []
  const load = async () => {
    const number = ++loads
    const isCurrent = () => number === loads && !signal.aborted
    arrived = []
    try {
      for await (const loaded of loadJournal(client)) {
        if (!isCurrent()) return
        update(({ journal, revision }) => {
          // A complete journal stays until all entries have been loaded again.
          if (journal.isComplete && !loaded.isComplete) return {}
          return { journal: addEntries(loaded, arrived), revision: revision + 1 }
        })
      }
    } catch (error) {
      if (!isCurrent()) return
      const failure = toFailure(error)
      update(({ journal }) => ({ journal: { ...journal, failure } }))
      if (!failure.needs) setTimeout(() => isCurrent() && void load(), retryMs)
    }
  }
  const flush = () => {
    const entries = batch
    if (entries.length === 0) return
    batch = []
    arrived = [...entries, ...arrived].slice(0, maximumEntries)
    update(({ journal, revision }) => {
      return { journal: addEntries(journal, entries), revision: revision + 1, note: undefined }
    })
  }
  const follow = async () => {
    for await (const event of followEvents(client, signal)) {
      if (event.type === 'open') {
        update(() => ({ stream: { kind: 'open' } }))
        // Entries before it may be missing.
        void load()
      } else if (event.type === 'request') {
        if (batch.push(event.entry) === 1) setTimeout(flush, batchMs)
      } else if (event.type === 'end') {
        // Later, they would be added to the new journal.
        flush()
        update(() => ({ note: notes[event.reason] }))
      } else {
        const failure = toFailure(event.error)
        update(() => ({ stream: { kind: 'lost', failure } }))
        if (failure.needs) return
      }
    }
  }
  void load()
  void follow()
  return () => void load()
}

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

/** The journal of the world, updated as requests arrive. */
export interface LiveJournal extends LoadedJournal {
  readonly stream: StreamState
  /** Why the journal may not be up to date; undefined if it is, or is being loaded. */
  readonly failure: Failure | undefined
  /** Why the journal is empty again; undefined if the world did not restart. */
  readonly note: string | undefined
  /** Changes when entries arrive, or others replace them. */
  readonly revision: number
  /** Id of the newest entry that changed data; 0 if there is none. */
  readonly lastChangeId: number
  /** Loads the entries again. Call it if the journal may have been cleared. */
  reload(): void
}

/** The state of the event stream. */
export interface StreamState {
  /** `opening`: for the first time. `lost`: it has ended, or could not be opened. */
  readonly kind: 'opening' | 'open' | 'lost'
  /** Why the stream was lost. */
  readonly failure?: Failure
}

/** Loads the journal of a world, and follows it. */
export function useJournal(client: PageClient): LiveJournal {
  const { journal, revision, add, reload } = useLoadedJournal(client)
  const { stream, note } = useStream(client, add, reload)
  const { entries } = journal
  const lastChangeId = useMemo(
    () => entries.find(({ changes }) => changes.length > 0)?.id ?? 0,
    [entries],
  )
  const failure = stream.failure ?? journal.failure
  return { ...journal, stream, note, failure, revision, lastChangeId, reload }
}

/** Loads the journal of a world. Returns it with functions that add entries and load it again. */
function useLoadedJournal(client: PageClient) {
  const [state, setState] = useState({ client, journal: emptyJournal, revision: 0 })
  const [loads, setLoads] = useState(0)
  const reload = useCallback(() => setLoads((count) => count + 1), [])
  /** Entries that have arrived since the load began. */
  const arrived = useRef<readonly JournalEntry[]>([])
  const update = useCallback(
    (change: (journal: LoadedJournal) => LoadedJournal) =>
      setState((before) => {
        const journal = before.client === client ? before.journal : emptyJournal
        return { client, journal: change(journal), revision: before.revision + 1 }
      }),
    [client],
  )
  // The number of loads is a dependency only to load the entries again.
  useEffect(() => {
    let isCurrent = true
    arrived.current = []
    const load = async () => {
      for await (const loaded of loadJournal(client)) {
        if (!isCurrent) return
        // A complete journal stays until all entries have been loaded again.
        update((before) =>
          before.isComplete && !loaded.isComplete ? before : addEntries(loaded, arrived.current),
        )
      }
    }
    load().catch((error: unknown) => {
      if (!isCurrent) return
      const failure = toFailure(error)
      update((before) => ({ ...before, failure }))
      if (!failure.needs) setTimeout(() => isCurrent && reload(), retryMs)
    })
    return () => {
      isCurrent = false
    }
  }, [client, loads, update, reload])
  const add = useCallback(
    (entries: readonly JournalEntry[]) => {
      arrived.current = [...entries, ...arrived.current].slice(0, maximumEntries)
      update((before) => addEntries(before, entries))
    },
    [update],
  )
  const journal = state.client === client ? state.journal : emptyJournal
  return { journal, revision: state.revision, add, reload }
}

/** Entries are added in batches, because a render for each request would be slow. */
const batchMs = 200

const notes = {
  restarted: 'The world was restarted.',
  evicted: 'The sandbox evicted the world; a new one has started.',
} as const

const opening: StreamState = { kind: 'opening' }

/**
 * Follows the entries of a world. Returns the state of the stream, and a note after a restart of the
 * world until the next request.
 *
 * @param onEntries Called with new entries, in batches.
 * @param onOpen Called when the stream opens: entries before it may be missing.
 */
function useStream(
  client: PageClient,
  onEntries: (entries: readonly JournalEntry[]) => void,
  onOpen: () => void,
): Pick<LiveJournal, 'stream' | 'note'> {
  const [stream, setStream] = useState(opening)
  const [note, setNote] = useState<string>()
  useEffect(() => {
    const stopping = new AbortController()
    let batch: JournalEntry[] = []
    const flush = () => {
      if (!stopping.signal.aborted) onEntries(batch)
      batch = []
    }
    setStream(opening)
    setNote(undefined)
    const follow = async () => {
      for await (const event of followEvents(client, stopping.signal)) {
        if (event.type === 'open') {
          setStream({ kind: 'open' })
          onOpen()
        } else if (event.type === 'request') {
          setNote(undefined)
          if (batch.push(event.entry) === 1) setTimeout(flush, batchMs)
        } else if (event.type === 'end') {
          // Later, they would be added to the new journal.
          flush()
          setNote(notes[event.reason])
        } else {
          const failure = toFailure(event.error)
          setStream({ kind: 'lost', failure })
          if (failure.needs) return
        }
      }
    }
    void follow()
    return () => stopping.abort()
  }, [client, onEntries, onOpen])
  return { stream, note }
}

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { followEvents } from '../../control/client/events.js'
import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toFailure } from '../session/failure.js'
import { emptyJournal, JournalLoader, type LoadedJournal } from './loader.js'

/** The journal of the world, updated as requests arrive. */
export interface LiveJournal extends LoadedJournal {
  readonly stream: StreamState
  /** Whether the event stream is open. */
  readonly isLive: boolean
  /** Why the journal may not be up to date; undefined if it is, or is being loaded. */
  readonly failure: Failure | undefined
  /** Why the journal is empty again; undefined if the world did not restart. */
  readonly note: string | undefined
  /** Id of the newest entry that changed data; 0 if there is none. */
  readonly lastChangeId: number
  /** Loads what is missing from the sandbox. Call it if the journal may have been cleared. */
  reload(): void
}

/** The state of the event stream. */
export interface StreamState {
  /** `opening`: for the first time. `lost`: it has ended, or could not be opened. */
  readonly kind: 'opening' | 'open' | 'lost'
  /** Why the stream was lost. */
  readonly failure?: Failure
}

/** Entries are added in batches, because a render for each request would be slow. */
const batchMs = 200

/** Interval between two attempts to load the entries after a failure, in milliseconds. */
const retryMs = 2_000

const notes = {
  restarted: 'The world was restarted.',
  evicted: 'The sandbox evicted the world; a new one has started.',
} as const

/** Loads the journal of a world, and follows it. */
export function useJournal(client: PageClient): LiveJournal {
  const loader = useMemo(() => new JournalLoader(client), [client])
  const [published, setPublished] = useState({ loader, journal: emptyJournal })
  useEffect(() => {
    loader.onChange = (journal) => setPublished({ loader, journal })
    void loader.load()
    return () => loader.stop()
  }, [loader])
  const reload = useCallback(() => void loader.load(), [loader])
  const append = useCallback((added: readonly JournalEntry[]) => loader.add(added), [loader])
  const { stream, note } = useStream(client, reload, append)
  const journal = published.loader === loader ? published.journal : emptyJournal
  const { entries, failure } = journal
  useEffect(() => {
    if (!failure || failure.needs) return
    const timer = setTimeout(reload, retryMs)
    return () => clearTimeout(timer)
  }, [failure, reload])
  const lastChangeId = useMemo(
    () => entries.find(({ changes }) => changes.length > 0)?.id ?? 0,
    [entries],
  )
  return {
    ...journal,
    stream,
    note,
    isLive: stream.kind === 'open',
    failure: stream.failure ?? failure,
    lastChangeId,
    reload,
  }
}

/**
 * Passes batches of new entries to `onBatch`. Returns the state of the stream, and a note after a
 * restart of the world until the next request.
 */
function useStream(
  client: PageClient,
  onOpen: () => void,
  onBatch: (entries: readonly JournalEntry[]) => void,
): Pick<LiveJournal, 'stream' | 'note'> {
  const [stream, setStream] = useState(opening)
  const [note, setNote] = useState<string>()
  useEffect(() => {
    let batch: JournalEntry[] = []
    const flush = () => {
      const entries = batch
      batch = []
      onBatch(entries)
    }
    setStream(opening)
    setNote(undefined)
    const stopping = new AbortController()
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
  }, [client, onOpen, onBatch])
  return { stream, note }
}

const opening: StreamState = { kind: 'opening' }

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
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
  /** Number of entries that the sandbox retained when they were loaded. */
  readonly retained: number
  /** Number of requests since the journal was cleared, including those that are no longer retained. */
  readonly received: number
  /** Changes when entries arrive, or others replace them. */
  readonly revision: number
  /** Why the latest attempt to load the entries failed. */
  readonly failure?: Failure | undefined
}

const emptyJournal: LoadedJournal = {
  entries: [],
  isLoaded: false,
  isComplete: false,
  retained: 0,
  received: 0,
  revision: 0,
}

/** Maximum number of entries of a page. */
export const maximumEntries = 10_000

/** Number of entries that one request loads. */
const chunkLength = 250

/** Pause before another attempt to load the entries after a failure, in milliseconds. */
const retryMs = 2_000

/** Loads the journal of a world, newest entries first, and adds those that arrive. */
export class JournalLoader {
  /** Called when the journal has changed. */
  onChange: (journal: LoadedJournal) => void = () => {}
  readonly #client: PageClient
  #journal = emptyJournal
  /** Entries that have arrived since the load began. */
  #arrived: readonly JournalEntry[] = []
  #capacity = maximumEntries
  /** The number of `load` calls. Only the latest one has an effect. */
  #run = 0

  constructor(client: PageClient) {
    this.#client = client
  }

  /**
   * Loads all entries, and tries again after a failure. Until then, a journal that was complete stays
   * as it is. Never rejects.
   */
  async load(): Promise<void> {
    this.#run += 1
    const run = this.#run
    this.#arrived = []
    try {
      const query = { limit: chunkLength }
      const head = await this.#client.send('getJournal', { query })
      const { retained, dropped, capacity } = head
      const entries: JournalEntry[] = []
      let chunk: readonly JournalEntry[] = head.requests
      while (run === this.#run) {
        entries.push(...chunk)
        const isComplete =
          chunk.length < chunkLength || entries.length >= Math.min(retained, maximumEntries)
        if (isComplete || !this.#journal.isComplete) {
          this.#capacity = Math.min(capacity, maximumEntries)
          this.#change({
            entries,
            received: retained + dropped,
            isLoaded: true,
            isComplete,
            retained,
            failure: undefined,
          })
          this.#insert(this.#arrived)
        }
        if (isComplete) return
        const before = entries.at(-1)?.id
        chunk = await this.#client.send('listRequests', { query: { ...query, before } })
      }
    } catch (error) {
      if (run !== this.#run) return
      const failure = toFailure(error)
      this.#change({ failure })
      if (failure.needs) return
      await new Promise((resolve) => setTimeout(resolve, retryMs))
      if (run === this.#run) await this.load()
    }
  }

  /** Adds entries that have arrived. */
  add(entries: readonly JournalEntry[]): void {
    this.#arrived = [...entries, ...this.#arrived].slice(0, maximumEntries)
    this.#insert(entries)
  }

  /** Ignores the responses to pending requests. */
  stop(): void {
    this.#run += 1
    this.onChange = () => {}
  }

  #insert(added: readonly JournalEntry[]): void {
    const { entries: known, received } = this.#journal
    const ids = new Set(known.map(({ id }) => id))
    const fresh = added.filter(({ id }) => !ids.has(id))
    const entries = [...fresh, ...known].sort((a, b) => b.id - a.id).slice(0, this.#capacity)
    this.#change({ entries, received: received + fresh.length })
  }

  #change(fields: Partial<LoadedJournal>): void {
    const revision = this.#journal.revision + (fields.entries ? 1 : 0)
    this.#journal = { ...this.#journal, ...fields, revision }
    this.onChange(this.#journal)
  }
}

/** The journal of the world, updated as requests arrive. */
export interface LiveJournal extends LoadedJournal {
  readonly stream: StreamState
  /** Why the journal may not be up to date; undefined if it is, or is being loaded. */
  readonly failure: Failure | undefined
  /** Why the journal is empty again; undefined if the world did not restart. */
  readonly note: string | undefined
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

/** Entries are added in batches, because a render for each request would be slow. */
const batchMs = 200

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
  const { stream, note } = useStream(client, loader)
  const journal = published.loader === loader ? published.journal : emptyJournal
  const { entries, failure } = journal
  const lastChangeId = useMemo(
    () => entries.find(({ changes }) => changes.length > 0)?.id ?? 0,
    [entries],
  )
  return {
    ...journal,
    stream,
    note,
    failure: stream.failure ?? failure,
    lastChangeId,
    reload,
  }
}

/**
 * Adds new entries to the loader, in batches. Returns the state of the stream, and a note after a
 * restart of the world until the next request.
 */
function useStream(
  client: PageClient,
  loader: JournalLoader,
): Pick<LiveJournal, 'stream' | 'note'> {
  const [stream, setStream] = useState(opening)
  const [note, setNote] = useState<string>()
  useEffect(() => {
    let batch: JournalEntry[] = []
    const flush = () => {
      loader.add(batch)
      batch = []
    }
    setStream(opening)
    setNote(undefined)
    const stopping = new AbortController()
    const follow = async () => {
      for await (const event of followEvents(client, stopping.signal)) {
        if (event.type === 'open') {
          setStream({ kind: 'open' })
          void loader.load()
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
  }, [client, loader])
  return { stream, note }
}

const opening: StreamState = { kind: 'opening' }

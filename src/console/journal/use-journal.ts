import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../client/control-client.js'
import type { JournalEntry } from '../client/control-types.js'
import { type ControlFailure, toFailure } from '../client/failure.js'
import { followJournal } from '../client/follow-journal.js'
import { maximumEntries, mergeEntries } from './entries.js'

/** The journal of the world, updated as requests arrive. */
export interface LiveJournal {
  /** Newest first, at most `maximumEntries`. */
  readonly entries: readonly JournalEntry[]
  /** Whether the entries have been loaded. */
  readonly isLoaded: boolean
  /** Whether the event stream is open. */
  readonly isLive: boolean
  /** Why the entries may not be those of the world; undefined if they are, or are being loaded. */
  readonly failure: ControlFailure | undefined
  /** Why the journal is empty again; undefined if the world did not restart. */
  readonly note: string | undefined
  /** Incremented on each change of the entries. */
  readonly revision: number
  /** Id of the newest entry that changed data; 0 if there is none. */
  readonly lastChangeId: number
  /** Loads the entries from the sandbox again. */
  reload(): void
}

/** Entries are rendered in batches, because a render for each request would be slow. */
const batchMs = 200

/** Interval between two attempts to load the entries after a failure, in milliseconds. */
const retryMs = 2_000

interface State {
  readonly entries: readonly JournalEntry[]
  readonly isLoaded: boolean
  readonly revision: number
  /** Failure of the latest attempt to load the entries. */
  readonly failure?: ControlFailure
}

const empty: State = { entries: [], isLoaded: false, revision: 0 }

const notes = {
  restarted: 'The world was restarted.',
  evicted: 'The sandbox evicted the world; a new one has started.',
} as const

/** Follows the journal of a world. */
export function useJournal(client: ControlClient): LiveJournal {
  const [{ failure: loadFailure, ...state }, setState] = useState(empty)
  const reload = useCallback(() => {
    client.send('listRequests', { query: { limit: maximumEntries } }).then(
      (entries) =>
        setState(({ revision }) => ({ entries, isLoaded: true, revision: revision + 1 })),
      (error: unknown) => setState((before) => ({ ...before, failure: toFailure(error) })),
    )
  }, [client])
  const append = useCallback((added: readonly JournalEntry[]) => {
    setState((before) => ({
      ...before,
      entries: mergeEntries(before.entries, added),
      revision: before.revision + 1,
    }))
  }, [])
  useEffect(() => setState(empty), [client])
  const { failure: streamFailure, ...stream } = useStream(client, reload, append)
  // After a failure of the stream, the entries are loaded again when it is open.
  useEffect(() => {
    if (!loadFailure || streamFailure) return
    const timer = setTimeout(reload, retryMs)
    return () => clearTimeout(timer)
  }, [loadFailure, streamFailure, reload])
  const lastChangeId = state.entries.find(({ changes }) => changes.length > 0)?.id ?? 0
  return { ...state, ...stream, failure: streamFailure ?? loadFailure, lastChangeId, reload }
}

/**
 * Passes batches of new entries to `onBatch`. Returns whether the stream is open, its failure until
 * it is open again, and a note after a restart of the world until the next request.
 */
function useStream(
  client: ControlClient,
  onOpen: () => void,
  onBatch: (entries: readonly JournalEntry[]) => void,
): Pick<LiveJournal, 'isLive' | 'failure' | 'note'> {
  const [isLive, setLive] = useState(false)
  const [failure, setFailure] = useState<ControlFailure>()
  const [note, setNote] = useState<string>()
  useEffect(() => {
    const batch = new Batch(onBatch)
    const stop = followJournal(client, {
      onOpen() {
        setLive(true)
        setFailure(undefined)
        onOpen()
      },
      onEntry(entry) {
        setNote(undefined)
        batch.add(entry)
      },
      onRestart: (reason) => setNote(notes[reason]),
      onEnd(ended) {
        setLive(false)
        setFailure(ended)
      },
    })
    return () => {
      stop()
      batch.cancel()
      setLive(false)
      setFailure(undefined)
      setNote(undefined)
    }
  }, [client, onOpen, onBatch])
  return { isLive, failure, note }
}

/** Collects entries for `batchMs` after the first one. Retains the newest `maximumEntries`. */
class Batch {
  readonly #onBatch: (entries: readonly JournalEntry[]) => void
  #entries: JournalEntry[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onBatch: (entries: readonly JournalEntry[]) => void) {
    this.#onBatch = onBatch
  }

  add(entry: JournalEntry): void {
    this.#entries = [...this.#entries.slice(1 - maximumEntries), entry]
    this.#timer ??= setTimeout(() => this.#flush(), batchMs)
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    const entries = this.#entries
    this.#entries = []
    this.#timer = undefined
    this.#onBatch(entries)
  }
}

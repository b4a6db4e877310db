import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../client/control-client.js'
import type { JournalEntry } from '../client/control-types.js'
import { followJournal } from '../client/follow-journal.js'
import { maximumEntries, mergeEntries } from './entries.js'

/** The journal of the world, updated as requests arrive. */
export interface LiveJournal {
  /** Newest first, at most `maximumEntries`. */
  readonly entries: readonly JournalEntry[]
  /** Whether the event stream is open. */
  readonly isLive: boolean
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

interface State {
  readonly entries: readonly JournalEntry[]
  readonly revision: number
}

const empty: State = { entries: [], revision: 0 }

const notes = {
  restarted: 'The world was restarted.',
  evicted: 'The sandbox evicted the world; a new one has started.',
} as const

/** Follows the journal of a world. */
export function useJournal(client: ControlClient): LiveJournal {
  const [{ entries, revision }, setState] = useState(empty)
  const reload = useCallback(() => {
    client.send('listRequests', { query: { limit: maximumEntries } }).then(
      (listed) => setState((before) => ({ entries: listed, revision: before.revision + 1 })),
      () => {}, // The event stream fails for the same reason, and sets `isLive` to false.
    )
  }, [client])
  const append = useCallback((added: readonly JournalEntry[]) => {
    setState((before) => ({
      entries: mergeEntries(before.entries, added),
      revision: before.revision + 1,
    }))
  }, [])
  useEffect(() => setState(empty), [client])
  const { isLive, note } = useStream(client, reload, append)
  const lastChangeId = entries.find(({ changes }) => changes.length > 0)?.id ?? 0
  return { entries, isLive, note, revision, lastChangeId, reload }
}

/**
 * Passes batches of new entries to `onBatch`. Returns whether the stream is open, and a note after
 * a restart of the world until the next request.
 */
function useStream(
  client: ControlClient,
  onOpen: () => void,
  onBatch: (entries: readonly JournalEntry[]) => void,
): Pick<LiveJournal, 'isLive' | 'note'> {
  const [isLive, setLive] = useState(false)
  const [note, setNote] = useState<string>()
  useEffect(() => {
    const batch = new Batch(onBatch)
    const stop = followJournal(client, {
      onOpen() {
        setLive(true)
        onOpen()
      },
      onEntry(entry) {
        setNote(undefined)
        batch.add(entry)
      },
      onRestart: (reason) => setNote(notes[reason]),
      onEnd: () => setLive(false),
    })
    return () => {
      stop()
      batch.cancel()
      setLive(false)
      setNote(undefined)
    }
  }, [client, onOpen, onBatch])
  return { isLive, note }
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

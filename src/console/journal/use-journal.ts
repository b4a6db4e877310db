import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../client/client.js'
import { followJournal } from '../client/follow-journal.js'
import type { JournalRow } from '../client/shapes.js'
import { keptRows, mergeRows } from './merge-rows.js'

/** The journal of the world as it is written. */
export interface LiveJournal {
  /** The newest first, bounded. */
  readonly rows: readonly JournalRow[]
  /** Whether further calls are shown as they come. */
  readonly isLive: boolean
  /** Counts up with each change of the rows. */
  readonly revision: number
  /** Id of the newest call that changed data; 0 without one. */
  readonly lastChangeId: number
  /** Forgets the rows and lists what the sandbox has. */
  reload(): void
}

/** Under load, rows come in batches: the page draws a few times a second at the most. */
const batchMs = 200

interface State {
  readonly rows: readonly JournalRow[]
  readonly revision: number
}

/** Follows the journal of a world. */
export function useJournal(client: ControlClient): LiveJournal {
  const [{ rows, revision }, setState] = useState<State>({ rows: [], revision: 0 })
  const [isLive, setLive] = useState(false)

  const reload = useCallback(() => {
    client.requests(keptRows).then(
      (listed) => setState((before) => ({ rows: listed, revision: before.revision + 1 })),
      () => {}, // whatever keeps it from answering also ends the stream, which is told
    )
  }, [client])

  useEffect(() => {
    let batch: JournalRow[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      const further = batch
      batch = []
      timer = undefined
      setState((before) => ({
        rows: mergeRows(before.rows, further),
        revision: before.revision + 1,
      }))
    }
    setState({ rows: [], revision: 0 })
    const stop = followJournal(client, {
      onOpen() {
        setLive(true)
        reload()
      },
      onRow(row) {
        batch = [...batch.slice(1 - keptRows), row]
        timer ??= setTimeout(show, batchMs)
      },
      onEnd: () => setLive(false),
    })
    return () => {
      stop()
      clearTimeout(timer)
      setLive(false)
    }
  }, [client, reload])

  const lastChangeId = rows.find(({ changes }) => changes.length > 0)?.id ?? 0
  return { rows, isLive, revision, lastChangeId, reload }
}

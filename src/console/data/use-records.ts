import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'

/** The records of one kind, kept up to date. */
export interface RecordList<T> {
  /** Undefined until they have been loaded. After a failure, the ones that were loaded before. */
  readonly rows?: readonly T[] | undefined
  readonly failure?: Failure | undefined
  /** Changes the loaded records like one change that this page has made. */
  apply(edit: (rows: readonly T[]) => readonly T[]): void
}

/** A list and the version that it has at least. */
interface Version<T> {
  readonly client: PageClient
  readonly generation: number
  /** The count of changes in the overview. */
  readonly changes: number
  readonly rows: readonly T[]
}

/** Pause after a failure, and minimum pause between two loads, in milliseconds. */
const retryMs = 2_000
const minimumMs = 500

/** Additional pause for each record of a list, in milliseconds: 1 s for 5,000. */
const recordMs = 0.2

/**
 * Loads the records of a kind, and again when the overview shows a change that this page has not
 * made. A long list is reloaded less often.
 *
 * @param list Must be the same function on each render.
 */
export function useRecords<T>(
  name: keyof Overview['changes'],
  list: (client: PageClient, signal: AbortSignal) => Promise<readonly T[]>,
): RecordList<T> {
  const { client, overview } = useSession()
  const [loaded, setLoaded] = useState<Version<T>>()
  const [failed, setFailed] = useState<{ client: PageClient; failure: Failure }>()
  const generation = overview?.generation
  const changes = overview?.changes[name]
  const isCurrent = loaded?.client === client && loaded.generation === generation
  const isStale = changes !== undefined && (!isCurrent || changes > loaded.changes)
  const failure = failed?.client === client ? failed.failure : undefined
  const pause = useRef<{ client: PageClient; end: Promise<void> }>(undefined)
  const latest = useRef(0)
  latest.current = changes ?? 0

  useEffect(() => {
    if (!isStale || generation === undefined || failure?.needs) return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      if (pause.current?.client === client) await pause.current.end
      if (signal.aborted) return
      const version = { client, generation, changes: latest.current }
      try {
        const rows = await list(client, signal)
        pause.current = { client, end: wait(minimumMs + recordMs * rows.length) }
        if (signal.aborted) return
        setLoaded({ ...version, rows })
        setFailed(undefined)
      } catch (error) {
        if (signal.aborted) return
        pause.current = { client, end: wait(retryMs) }
        setFailed({ client, failure: toFailure(error) })
      }
    }
    void load()
    return () => controller.abort()
    // `loaded` and `failed` are dependencies because each attempt starts the next one if necessary.
  }, [client, generation, isStale, list, loaded, failed])

  const apply = useCallback<RecordList<T>['apply']>(
    (edit) =>
      setLoaded((before) =>
        before?.client === client
          ? { ...before, changes: before.changes + 1, rows: edit(before.rows) }
          : before,
      ),
    [client],
  )
  return { rows: loaded?.client === client ? loaded.rows : undefined, failure, apply }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

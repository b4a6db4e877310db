import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'

/** The records of one kind. */
export interface RecordList<T> {
  /** Undefined until they have been loaded. After a failure, the ones that were loaded before. */
  readonly rows?: readonly T[] | undefined
  readonly failure?: Failure | undefined
  /** Shows a change of this page at once. */
  apply(edit: (rows: readonly T[]) => readonly T[]): void
}

interface Loaded<T> extends Pick<RecordList<T>, 'rows' | 'failure'> {
  readonly client: PageClient
  /** Generation of the world and number of its changes when the load began. */
  readonly version: string | undefined
}

const retryMs = 2_000

/** Returns the pause before a list is loaded again, in milliseconds: 1.1 s for 5,000 records. */
const toPauseMs = ({ length }: readonly unknown[]) => 100 + 0.2 * length

/**
 * Loads the records of a kind, and again after changes that the overview counts.
 *
 * @param list Must be the same function on each render.
 */
export function useRecords<T>(
  name: keyof Overview['changes'],
  list: (client: PageClient, signal: AbortSignal) => Promise<readonly T[]>,
): RecordList<T> {
  const { client, overview } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T>>({ client, version: undefined })
  const {
    rows,
    failure,
    version: shown,
  }: Partial<Loaded<T>> = loaded.client === client ? loaded : {}
  const version = overview && `${overview.generation} ${overview.changes[name]}`
  const latest = useRef(version)
  latest.current = version
  const isStale = version !== undefined && shown !== version && !failure?.needs

  useEffect(() => {
    if (!isStale) return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const start = { client, version: latest.current }
      const read = await list(client, signal).then(
        (all) => ({ ...start, rows: all }),
        (error: unknown) => ({ client, version: undefined, rows, failure: toFailure(error) }),
      )
      if (!signal.aborted) setLoaded(read)
    }
    const pauseMs = rows ? toPauseMs(rows) : 0
    const timer = setTimeout(() => void load(), failure ? retryMs : pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
    // Each attempt changes `loaded`, and starts the next one if necessary.
  }, [client, isStale, list, loaded])

  const apply = useCallback<RecordList<T>['apply']>(
    (edit) =>
      setLoaded((now) =>
        now.client === client && now.rows ? { ...now, rows: edit(now.rows) } : now,
      ),
    [client],
  )
  return { rows, failure, apply }
}

import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { type Failure, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { findIndex } from './entries.js'
import { RequestActions } from './request-actions.js'
import { RequestDetail } from './request-detail.js'
import { useRecordedWorld } from './starts.js'

/** The details of a request below its id, if the journal retains its entry. The id must not change. */
export function EntryDetail({ id }: { id: number }) {
  const { entry, isMissing, failure } = useEntry(id)
  const readWorld = useRecordedWorld()
  if (failure)
    return (
      <p class="bad">
        The request could not be loaded: {failure.message}. {failure.advice}
      </p>
    )
  if (isMissing) return <p class="hint">The journal no longer retains request {id}.</p>
  if (!entry) return <p class="hint">Loading…</p>
  return (
    <RequestDetail
      entry={entry}
      parts={{
        isNumbered: true,
        renderOperation: (operation) => <a href={`#${operation}`}>{operation}</a>,
        renderActions: () => <RequestActions entry={entry} readWorld={readWorld} />,
      }}
    />
  )
}

interface FoundEntry {
  readonly entry?: JournalEntry | undefined
  readonly isMissing?: boolean
  readonly failure?: Failure
}

/** Returns the entry that the page has, or else loads it. */
function useEntry(id: number): FoundEntry {
  const { client, journal } = useSession()
  const [loaded, setLoaded] = useState<FoundEntry>({})
  const at = findIndex(journal.entries, id)
  const known = journal.entries[at]?.id === id ? journal.entries[at] : undefined
  const isKnown = known !== undefined
  useEffect(() => {
    if (isKnown) return
    let isCurrent = true
    client.send('listRequests', { query: { before: id + 1, limit: 1 } }).then(
      ([entry]) => isCurrent && setLoaded(entry?.id === id ? { entry } : { isMissing: true }),
      (error: unknown) => isCurrent && setLoaded({ failure: toFailure(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [client, id, isKnown])
  return known ? { entry: known } : loaded
}

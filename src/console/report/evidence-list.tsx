import { useEffect, useState } from 'preact/hooks'
import type { Evidence, RuleResult } from '../../report/report.js'
import { toPlainLine } from '../../validation/message.js'
import type { JournalEntry } from '../client/control-types.js'
import { type ControlFailure, toFailure } from '../client/failure.js'
import { findIndex } from '../journal/entries.js'
import { RequestActions } from '../journal/request-actions.js'
import { RequestDetail } from '../journal/request-detail.js'
import { useRecordedWorld } from '../journal/starts.js'
import { useSession } from '../session/session.js'

/** The requests on which a finding is based. Each one opens its journal entry. */
export function EvidenceList({ rule }: { rule: RuleResult }) {
  const { evidence, violations, id } = rule
  const [isLong, setLong] = useState(false)
  if (evidence.length === 0) return null
  // A button in place of a single request would save no space.
  const canShorten = evidence.length > shortLength + 1
  const shown = canShorten && !isLong ? evidence.slice(0, shortLength) : evidence
  const unlisted = Math.max(0, violations - evidence.length)
  return (
    <div>
      <ol class="report-evidence" aria-label={`Evidence of ${id}`}>
        {shown.map((each, at) => (
          // A request can be evidence twice.
          <li key={`${each.request} ${at}`}>
            <EvidenceItem evidence={each} />
          </li>
        ))}
      </ol>
      {canShorten && (
        <button type="button" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show ${evidence.length - shortLength} more`}
        </button>
      )}
      {unlisted > 0 && (isLong || !canShorten) && (
        <p class="hint">The report does not list {unlisted.toLocaleString('en')} later ones.</p>
      )}
    </div>
  )
}

/** Number of requests that are shown until the user asks for all. */
const shortLength = 3

function EvidenceItem({ evidence: { request, at, observation } }: { evidence: Evidence }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="report-summary">
        <b>#{request}</b>{' '}
        <time dateTime={at} title={at}>
          {toPlainLine(at.replace(/^.*T/, '').replace(/Z$/, ''))}
        </time>{' '}
        <span>{toPlainLine(observation)}</span>
      </summary>
      {isOpen && <EvidenceEntry id={request} />}
    </details>
  )
}

/** The journal entry of a request, if the journal retains it. */
function EvidenceEntry({ id }: { id: number }) {
  const { entry, isMissing, failure } = useEntry(id)
  const readWorld = useRecordedWorld()
  if (failure) return <p class="bad">The request could not be loaded: {failure.message}.</p>
  if (isMissing) return <p class="hint">The journal no longer retains request {id}.</p>
  if (!entry) return <p class="hint">Loading…</p>
  return (
    <RequestDetail
      entry={entry}
      parts={{
        renderOperation: (operation) => <a href={`#${operation}`}>{operation}</a>,
        renderActions: () => <RequestActions entry={entry} readWorld={readWorld} />,
      }}
    />
  )
}

interface FoundEntry {
  readonly entry?: JournalEntry | undefined
  readonly isMissing?: boolean
  readonly failure?: ControlFailure
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

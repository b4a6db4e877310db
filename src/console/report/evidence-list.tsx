import { useState } from 'preact/hooks'
import type { Evidence, RuleResult } from '../../report/report.js'
import { toPlainLine } from '../../service/validation/message.js'
import { EntryDetail } from '../journal/entry-detail.js'
import { Time } from '../parts/time-label.js'

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
        <b>#{request}</b> <Time at={at} isExact /> <span>{toPlainLine(observation)}</span>
      </summary>
      {isOpen && <EntryDetail id={request} />}
    </details>
  )
}

import { useState } from 'preact/hooks'
import { sortRules } from '../../report/format/words.js'
import type { Evidence, Report, RuleResult } from '../../report/report.js'
import { toPlainLine } from '../../service/validation/message.js'
import { EntryDetail } from '../journal/entry-detail.js'
import { Card } from '../parts/card.js'
import { Time } from '../parts/time.js'

/** The rules as a list that opens: broken ones first, then kept ones, then those not seen. */
export function ConductCard({ report }: { report: Report }) {
  return (
    <Card title="Conduct">
      <ul class="entries conduct">
        {sortRules(report.conduct).map((rule) => (
          <li key={rule.id}>
            <Rule rule={rule} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Rule({ rule }: { rule: RuleResult }) {
  const { id, title, outcome, severity, finding, fix, source, examines } = rule
  const [mark, kind] = {
    broken: [severity, severity === 'error' ? 'error' : 'warn'],
    kept: ['kept', 'live'],
    unseen: ['not seen', 'none'],
  }[outcome]
  return (
    <details>
      <summary>
        <span class={`mark ${kind}`}>{mark}</span>
        <span>
          <b>{title}</b>
          <span class="hint block">{toSentence(finding)}</span>
        </span>
      </summary>
      <div class="report-more">
        <EvidenceList rule={rule} />
        <dl class="facts">
          <dt>{outcome === 'broken' ? 'Fix' : 'If broken'}</dt>
          <dd>{fix}</dd>
          <dt>Source</dt>
          <dd>{source}</dd>
          <dt>Examined</dt>
          <dd>{examines}</dd>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </dl>
      </div>
    </details>
  )
}

/** The requests on which a finding is based. Each one opens its journal entry. */
function EvidenceList({ rule: { id, evidence, violations } }: { rule: RuleResult }) {
  const unlisted = violations - evidence.length
  return (
    <>
      {evidence.length > 0 && (
        <ol class="entries" aria-label={`Evidence of ${id}`}>
          {evidence.map((each, at) => (
            // A request can be evidence twice.
            <li key={`${each.request} ${at}`}>
              <EvidenceItem evidence={each} />
            </li>
          ))}
        </ol>
      )}
      {unlisted > 0 && (
        <p class="hint">The report does not list {unlisted.toLocaleString('en')} later ones.</p>
      )}
    </>
  )
}

function EvidenceItem({ evidence: { request, at, observation } }: { evidence: Evidence }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>#{request}</b>
        <span>
          <Time at={at} isExact /> {toPlainLine(observation)}
        </span>
      </summary>
      {isOpen && <EntryDetail id={request} />}
    </details>
  )
}

/** Starts with an upper-case letter, ends with a full stop. */
function toSentence(finding: string): string {
  const text = toPlainLine(finding)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

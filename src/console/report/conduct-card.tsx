import { sortRules } from '../../report/format/words.js'
import type { Report, RuleResult } from '../../report/report.js'
import { toPlainLine } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { EvidenceList } from './evidence-list.js'

/** The rules: broken ones with evidence and fix, then one line for each of the others. */
export function ConductCard({ report }: { report: Report }) {
  const rules = sortRules(report.conduct)
  const broken = rules.filter(({ outcome }) => outcome === 'broken')
  const kept = rules.filter(({ outcome }) => outcome === 'kept')
  const unseen = rules.filter(({ outcome }) => outcome === 'unseen')
  return (
    <Card title="Conduct">
      {broken.map((rule) => (
        <BrokenRule key={rule.id} rule={rule} />
      ))}
      <RuleList title="Kept" rules={kept} />
      <RuleList title="Not seen: no request put the rule to the test" rules={unseen} />
    </Card>
  )
}

function BrokenRule({ rule }: { rule: RuleResult }) {
  const { id, title, severity, finding } = rule
  return (
    <div class={`report-rule ${severity}`}>
      <h3>
        <span class={`mark ${severity === 'error' ? 'error' : 'warn'}`}>{severity}</span> {title}{' '}
        <code>{id}</code>
      </h3>
      <p class="report-finding">{toSentence(finding)}</p>
      <EvidenceList rule={rule} />
      <RuleFacts rule={rule} />
    </div>
  )
}

function RuleList({ title, rules }: { title: string; rules: readonly RuleResult[] }) {
  if (rules.length === 0) return null
  return (
    <div>
      <h3 class="report-list-title">
        {title} ({rules.length})
      </h3>
      <ul class="report-rules">
        {rules.map((rule) => (
          <li key={rule.id}>
            <details>
              <summary class="report-summary">
                <span class={`mark ${rule.outcome === 'kept' ? 'live' : 'none'}`}>
                  {rule.outcome === 'kept' ? 'kept' : 'not seen'}
                </span>
                <span>
                  {rule.title} <span class="hint">{toSentence(rule.finding)}</span>
                </span>
              </summary>
              <div class="report-more">
                <EvidenceList rule={rule} />
                <RuleFacts rule={rule} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </div>
  )
}

function RuleFacts({ rule: { examines, fix, source, outcome, id } }: { rule: RuleResult }) {
  return (
    <dl class="report-facts">
      <dt>{outcome === 'broken' ? 'Fix' : 'If broken'}</dt>
      <dd>{fix}</dd>
      <dt>Source</dt>
      <dd>{source}</dd>
      <dt>Examined</dt>
      <dd>{examines}</dd>
      {outcome !== 'broken' && (
        <>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </>
      )}
    </dl>
  )
}

/** Starts with an upper-case letter, ends with a full stop. */
function toSentence(finding: string): string {
  const text = toPlainLine(finding)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

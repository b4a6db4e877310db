import { useMemo, useState } from 'preact/hooks'
import type { Evidence, Report, RuleResult } from '../../report/report.js'
import { toPlainLine } from '../../service/validation/message.js'
import { toFragment, toSecond } from '../journal/filter.js'
import { toTimeBars } from '../journal/timeline.js'
import { Card } from '../parts/card.js'
import { formatCount } from '../parts/count.js'
import { formatInterval, type TimeBar, TimeChart } from '../parts/time-chart.js'

/** A listed violation of a rule. */
interface Violation {
  readonly rule: RuleResult
  readonly evidence: Evidence
  readonly atMs: number
}

/** The responses over time, with the violations marked on them. */
export function TimelineCard({ report }: { report: Report }) {
  const { intervalMs } = report.timeline
  const [selected, setSelected] = useState<{ fromMs: number; toMs: number }>()
  const violations = useMemo(() => listViolations(report), [report])
  const bars = useMemo(() => toBars(report, violations), [report, violations])
  return (
    <Card title="Responses over time">
      {bars.length === 0 ? (
        <p class="hint">There are no responses yet.</p>
      ) : (
        <TimeChart
          bars={bars}
          stepMs={intervalMs}
          hint="▼ marks the violations that the report lists. Select a bar to see them."
          selected={selected}
          onSelect={(fromMs, toMs) => setSelected({ fromMs, toMs })}
        />
      )}
      <div role="status">
        {selected && bars.length > 0 && <Selection {...selected} violations={violations} />}
      </div>
    </Card>
  )
}

/** The violations in the selected time, each with its request. */
function Selection(props: { fromMs: number; toMs: number; violations: readonly Violation[] }) {
  const { fromMs, toMs, violations } = props
  const found = violations.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  const filter = { from: toSecond(fromMs), to: toSecond(toMs - 1) }
  return (
    <div class="report-guide">
      <h3>
        {formatInterval(fromMs, toMs - fromMs)} UTC: {formatCount(found.length, 'violations')}
      </h3>
      <ul>
        {found.map(({ rule, evidence }) => (
          <li key={`${rule.id} ${evidence.request} ${evidence.observation}`}>
            <a href={`#request-${evidence.request}`}>#{evidence.request}</a> <b>{rule.title}</b>:{' '}
            {toPlainLine(evidence.observation)}
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="button" href={toFragment(filter)}>
          Show the requests in the journal
        </a>
      </div>
    </div>
  )
}

function listViolations({ conduct }: Report): readonly Violation[] {
  const broken = conduct.filter(({ outcome }) => outcome === 'broken')
  return broken.flatMap((rule) =>
    rule.evidence.map((evidence) => ({ rule, evidence, atMs: Date.parse(evidence.at) })),
  )
}

function toBars({ timeline }: Report, violations: readonly Violation[]): readonly TimeBar[] {
  return toTimeBars(timeline).map(({ startMs, counts }) => {
    const endMs = startMs + timeline.intervalMs
    const found = violations.filter(({ atMs }) => atMs >= startMs && atMs < endMs)
    return { startMs, counts, violations: found.map(({ rule }) => rule.severity) }
  })
}

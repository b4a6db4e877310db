import type { ComponentChildren } from 'preact'
import {
  countRules,
  describeSmallestPlan,
  describeUnattributed,
  toPercentage,
} from '../../report/format/words.js'
import type { Report } from '../../report/report.js'
import { plans } from '../../service/plans.js'
import { toCount } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { formatCount } from '../parts/count.js'
import { Time } from '../parts/time-label.js'
import { showShortKeys, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import type { DownloadFormat } from './save-report.js'

/** The results of a report in three figures, and what it is about. */
export function SummaryCard({ report }: { report: Report }) {
  const { coverage, smallestPlan, requests } = report
  return (
    <Card title="Integration report" aside={<Downloads report={report} />}>
      <dl class="report-figures">
        <Conduct report={report} />
        <Figure
          name="Coverage"
          value={`${coverage.met} of ${coverage.possible}`}
          note={`combinations met, ${toPercentage(coverage.met, coverage.possible)} %`}
        />
        <Figure
          name="Plan"
          value={requests.assessed === 0 ? '–' : smallestPlan ? plans[smallestPlan].title : 'none'}
          note={requests.assessed === 0 ? 'no request to compare' : describeSmallestPlan(report)}
        />
      </dl>
      <Scope report={report} />
    </Card>
  )
}

function Conduct({ report }: { report: Report }) {
  const { error, warning, kept, unseen } = countRules(report)
  const severities = [
    error > 0 && toCount(error, 'errors'),
    warning > 0 && toCount(warning, 'warnings'),
  ]
  const broken = severities.filter(Boolean).join(', ')
  return (
    <Figure
      name="Conduct"
      value={error + warning > 0 ? `${error + warning} broken` : `${kept} kept`}
      kind={error > 0 ? 'bad' : warning > 0 ? 'warn' : kept > 0 ? 'good' : ''}
      note={`${broken ? `${broken}; ${kept} kept, ` : '0 broken, '}${unseen} not seen`}
    />
  )
}

function Figure(props: { name: string; value: string; note: ComponentChildren; kind?: string }) {
  const { name, value, note, kind = '' } = props
  return (
    <div>
      <dt>{name}</dt>
      <dd class={`report-figure ${kind}`}>{value}</dd>
      <dd class="hint">{note}</dd>
    </div>
  )
}

/** States which requests the report is about. */
function Scope({ report }: { report: Report }) {
  const { createdAt, requests } = report
  const apiKey = report.apiKey && showShortKeys(report.apiKey)
  const { received, assessed, unattributed, firstAt, lastAt } = requests
  if (assessed === 0 || !firstAt || !lastAt) {
    return (
      <p>
        The key {apiKey} has sent no request to this world. Let the client that you assess send some
        with this key, or send one in <a href="#try">Try</a>: the report follows.
      </p>
    )
  }
  const others = unattributed > 0 ? ` Without ${describeUnattributed(unattributed)}.` : ''
  const hidden = received > assessed ? `, the latest of ${received.toLocaleString('en')}` : ''
  return (
    <p class="hint">
      {formatCount(assessed, 'requests')} of {apiKey}
      {hidden}, from <Time at={firstAt} now={createdAt} /> to <Time at={lastAt} now={createdAt} />{' '}
      UTC. They include those that you send in Try. A start, a reset, and clearing the journal start
      a new report.{others}
    </p>
  )
}

const labels: Record<DownloadFormat, string> = { html: 'HTML', junit: 'JUnit', json: 'JSON' }

/** Saves the report that is shown as a file. */
function Downloads({ report }: { report: Report }) {
  const { notify } = useSession()
  const save = async (format: DownloadFormat) => {
    try {
      // Most visits save nothing.
      const { saveReport } = await import('./save-report.js')
      notify(`Saved ${saveReport(report, format)}.`)
    } catch (error) {
      // A page that is older than the files of the sandbox cannot load the formats.
      const { message } = toFailure(error)
      notify(`The report was not saved: ${message}. Reload the page and try again.`, 'error')
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div class="actions" role="group" aria-label="Save the report">
      <span class="hint">Save as</span>
      {Object.entries(labels).map(([format, label]) => (
        <button
          key={format}
          type="button"
          aria-label={`Save as ${label}`}
          onClick={() => void save(format as DownloadFormat)} // a key of the table
        >
          {label}
        </button>
      ))}
    </div>
  )
}

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
import { saveFile } from '../parts/save-file.js'
import { Time } from '../parts/time.js'
import { showShortKeys, toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'

/** The results of a report in three figures, and what it is about. */
export function SummaryCard({ report }: { report: Report }) {
  const { coverage, smallestPlan, requests } = report
  const { error, warning, kept, unseen } = countRules(report)
  const broken = [
    error > 0 && toCount(error, 'errors'),
    warning > 0 && toCount(warning, 'warnings'),
  ]
  const kind = error > 0 ? 'bad' : warning > 0 ? 'warn' : kept > 0 ? 'good' : ''
  const plan = smallestPlan ? plans[smallestPlan].title : 'none'
  return (
    <Card title="Integration report" aside={<Downloads report={report} />}>
      <dl class="report-figures">
        <Figure
          name="Conduct"
          kind={kind}
          value={error + warning > 0 ? `${error + warning} broken` : `${kept} kept`}
          note={`${broken.filter(Boolean).join(', ') || '0 broken'}; ${kept} kept, ${unseen} not seen`}
        />
        <Figure
          name="Coverage"
          value={`${coverage.met} of ${coverage.possible}`}
          note={`combinations met, ${toPercentage(coverage.met, coverage.possible)} %`}
        />
        <Figure
          name="Plan"
          value={requests.assessed === 0 ? '–' : plan}
          note={requests.assessed === 0 ? 'no request to compare' : describeSmallestPlan(report)}
        />
      </dl>
      <Scope report={report} />
    </Card>
  )
}

function Figure(props: { name: string; value: string; note: string; kind?: string }) {
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

/** The files in which a report can be saved. Their formats are loaded on demand: most visits save none. */
const files = [
  {
    label: 'HTML',
    name: 'integration-report.html',
    type: 'text/html',
    load: async () => (await import('../../report/format/html.js')).toHtml,
  },
  {
    label: 'JUnit',
    name: 'integration-report.xml',
    type: 'application/xml',
    load: async () => (await import('../../report/format/junit.js')).toJunit,
  },
  {
    label: 'JSON',
    name: 'integration-report.json',
    type: 'application/json',
    load: async () => (await import('../../report/format/json.js')).toJson,
  },
] as const

/** Saves the report that is shown as a file. */
function Downloads({ report }: { report: Report }) {
  const { notify } = useSession()
  const save = async ({ name, type, load }: (typeof files)[number]) => {
    try {
      const format = await load()
      saveFile(name, [format(report)], type)
      notify(`Saved ${name}.`)
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
      {files.map((file) => (
        <button
          key={file.label}
          type="button"
          aria-label={`Save as ${file.label}`}
          onClick={() => void save(file)}
        >
          {file.label}
        </button>
      ))}
    </div>
  )
}

import { describeSmallestPlan, forecastStart } from '../../report/format/words.js'
import type { PlanForecast, Report } from '../../report/report.js'
import { plans } from '../../service/plans.js'
import { toCount } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { Time } from '../parts/time.js'

/** What the same requests at the same times would have met under each plan, as bars in a table. */
export function PlansCard({ report }: { report: Report }) {
  const { whatIf, requests } = report
  if (requests.assessed === 0) return null
  return (
    <Card title="What if the key had another plan">
      <p>
        The same {toCount(requests.assessed, 'requests')} at the same times. {forecastStart}{' '}
        {describeSmallestPlan(report)}.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <div class="scroll" tabIndex={0}>
        <table>
          <caption class="unseen">The same requests under each plan</caption>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Rejected</th>
              <th scope="col">First rejection</th>
              <th scope="col">Bans</th>
            </tr>
          </thead>
          <tbody>
            {whatIf.map((forecast) => (
              <PlanRow key={forecast.plan} forecast={forecast} report={report} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function PlanRow({ forecast, report }: { forecast: PlanForecast; report: Report }) {
  const { plan, refused, firstRefusalAt, bans } = forecast
  const isSmallest = plan === report.smallestPlan
  const most = Math.max(1, ...report.whatIf.map((other) => other.refused))
  return (
    <tr>
      <th scope="row">
        {plans[plan].title}
        {plan === report.plan && <span class="hint">this key</span>}
        {isSmallest && <span class="mark live">smallest that fits</span>}
      </th>
      <td>
        <progress aria-hidden="true" max={most} value={refused} /> {refused.toLocaleString('en')}
      </td>
      <td>{firstRefusalAt === null ? '–' : <Time at={firstRefusalAt} now={report.createdAt} />}</td>
      <td>{bans.toLocaleString('en')}</td>
    </tr>
  )
}

import { useEffect } from 'preact/hooks'
import { type Assumption, type AssumptionId, assumptions } from '../../contract/assumptions.js'
import { type ErrorCode, errorCodes } from '../../contract/errors.js'
import { plans } from '../../contract/plans.js'
import { Card } from '../parts/card.js'
import { ErrorList } from '../parts/error-list.js'
import { Prose } from '../parts/prose.js'

const allCodes = Object.keys(errorCodes) as ErrorCode[] // the keys of a const table

/** What the contract says beyond single operations. */
export function ReferenceView({ assumption }: { assumption: AssumptionId | undefined }) {
  useEffect(() => {
    if (assumption) document.getElementById(assumption)?.scrollIntoView({ block: 'center' })
  }, [assumption])
  return (
    <>
      <Card title="Assumptions">
        <p>
          What the specification does not show, what is done here, and where a scenario changes it.
        </p>
        <dl class="assumptions">
          {Object.entries<Assumption>(assumptions).map(([id, { open, chosen, change }]) => (
            <div key={id} id={id} class={id === assumption ? 'meant' : undefined}>
              <dt>
                <a href={`#${id}`}>{id}</a> <Prose text={open} />
              </dt>
              <dd>
                <Prose text={chosen} />
                {change && (
                  <>
                    {' '}
                    <code>{change}</code>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <PlanTable />
      <Card title="Error codes">
        <ErrorList codes={allCodes} />
      </Card>
    </>
  )
}

function PlanTable() {
  return (
    <Card title="Plans">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Key</th>
              <th scope="col">A minute</th>
              <th scope="col">A day</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(plans).map(([id, { title, requestsPerMinute, requestsPerDay }]) => (
              <tr key={id}>
                <th scope="row">{title}</th>
                <td class="code">sbx_{id}</td>
                <td>{requestsPerMinute.toLocaleString('en')}</td>
                <td>{requestsPerDay.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

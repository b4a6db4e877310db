import { useEffect } from 'preact/hooks'
import { planIds, plans } from '../../service/plans.js'
import { useDocuments } from '../documents/documents.js'
import type { DocumentedAssumption } from '../documents/service.js'
import { Card } from '../parts/card.js'
import { ErrorList } from '../parts/error-list.js'
import { Prose } from '../parts/prose.js'

/** The parts of the contract that do not belong to a single operation. */
export function ReferenceView({ assumption }: { assumption: string | undefined }) {
  const { service } = useDocuments()
  useEffect(() => {
    if (assumption) document.getElementById(assumption)?.scrollIntoView({ block: 'center' })
  }, [assumption])
  return (
    <>
      <OperationList />
      <PlanTable />
      <Card title="Error codes">
        <ErrorList errors={service.errors} />
      </Card>
      <Card title="Assumptions">
        <p>
          Each row states what the specification does not define, what the sandbox does, and the
          scenario field that changes it.
        </p>
        <dl class="assumptions">
          {Object.entries(service.assumptions).map(([id, row]) => (
            <Assumption key={id} id={id} row={row} isCurrent={id === assumption} />
          ))}
        </dl>
      </Card>
    </>
  )
}

function OperationList() {
  const { service } = useDocuments()
  return (
    <Card title="Operations">
      <ul class="lines">
        {service.operations.map(({ id, method, path, bases, summary, isDeprecated }) => (
          <li key={id}>
            <span>
              <a href={`#${id}`}>{id}</a> {summary}
              <code class="block">
                {method} {path} below {bases.map((base) => base.path).join(' and ')}
              </code>
            </span>
            {isDeprecated && <span class="mark warn">deprecated</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Assumption(props: { id: string; row: DocumentedAssumption; isCurrent: boolean }) {
  const { id, row, isCurrent } = props
  return (
    <div id={id} class={isCurrent ? 'current' : undefined}>
      <dt>
        <a href={`#${id}`}>{id}</a> <Prose text={row.open} />
      </dt>
      <dd>
        <Prose text={row.chosen} /> {row.change && <code>{row.change}</code>}
      </dd>
    </div>
  )
}

function PlanTable() {
  return (
    <Card title="Plans">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it */}
      <section class="scroll" aria-label="Limits of the plans" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Key</th>
              <th scope="col">Requests a minute</th>
              <th scope="col">Requests a day</th>
            </tr>
          </thead>
          <tbody>
            {planIds.map((id) => (
              <tr key={id}>
                <th scope="row">{plans[id].title}</th>
                <td class="code">sbx_{id}</td>
                <td>{plans[id].requestsPerMinute.toLocaleString('en')}</td>
                <td>{plans[id].requestsPerDay.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

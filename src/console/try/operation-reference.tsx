import { addresses } from '../../contract/addresses.js'
import { type AssumptionId, assumptions } from '../../contract/assumptions.js'
import { operationDetails } from '../../contract/operation-details.js'
import {
  type OperationContract,
  type OperationId,
  operations,
} from '../../operations/operations.js'
import { Card } from '../parts/card.js'
import { ErrorList } from '../parts/error-list.js'
import { Prose } from '../parts/prose.js'
import { StatusMark } from '../parts/status-mark.js'

/** What the contract says of an operation. */
export function OperationReference({ id }: { id: OperationId }) {
  const contract: OperationContract = operations[id]
  const { description, success } = operationDetails[id]
  return (
    <Card
      title={id}
      aside={
        <>
          {contract.stability && <span class="mark warn">{contract.stability}</span>}
          {contract.deprecated && <span class="mark warn">deprecated</span>}
        </>
      }
    >
      <p>
        <code>
          {contract.method} {contract.path}
        </code>{' '}
        below {toPlaces(contract)} (spec §{contract.section}).
      </p>
      <p>{description}</p>
      {contract.stability && (
        <p>Its request shape may change before it becomes stable (spec §9).</p>
      )}
      {contract.deprecated && (
        <p>
          It has a sunset date (spec §9): every answer carries <code>Deprecation</code>,{' '}
          <code>Sunset</code> and <code>Link</code>. The dates of this world are in the{' '}
          <a href="#overview">overview</a>.
        </p>
      )}
      <h3>Answers</h3>
      <ul class="answers">
        <li>
          <StatusMark status={contract.success} /> <span>{success}</span>
        </li>
      </ul>
      <ErrorList codes={contract.errors} />
      <h3>Assumptions</h3>
      <AssumptionLines ids={contract.assumptions as readonly AssumptionId[]} />
    </Card>
  )
}

function AssumptionLines({ ids }: { ids: readonly AssumptionId[] }) {
  return (
    <ul class="answers">
      {ids.map((id) => (
        <li key={id}>
          <a href={`#${id}`}>{id}</a>{' '}
          <span>
            <Prose text={`${assumptions[id].open}: ${assumptions[id].chosen}`} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function toPlaces(contract: OperationContract): string {
  return contract.addresses.map((id) => addresses[id].httpPath).join(' and ')
}

import { type OperationId, operationIds, operations } from '../../operations/operations.js'
import { OperationReference } from './operation-reference.js'
import { OperationTrial } from './operation-trial.js'

/** One operation at a time: a form that really calls it, and what the contract says of it. */
export function TryView({ operation }: { operation: OperationId }) {
  return (
    <>
      <nav class="tabs" aria-label="Operations">
        {operationIds.map((id) => (
          <a key={id} href={`#${id}`} aria-current={id === operation ? 'page' : undefined}>
            <span class="method">{operations[id].method}</span> {id}
          </a>
        ))}
      </nav>
      <article id={operation}>
        <OperationTrial key={operation} id={operation} />
        <OperationReference id={operation} />
      </article>
    </>
  )
}

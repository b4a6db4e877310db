import { useDocuments } from '../documents/documents.js'
import { findOperation } from '../documents/service.js'
import { OperationReference } from './operation-reference.js'
import { OperationTrial } from './operation-trial.js'

/** One operation: a form that sends a request, and its reference. */
export function TryView({ id }: { id: string }) {
  const { service } = useDocuments()
  const operation = findOperation(service, id)
  return (
    <>
      <nav class="tabs" aria-label="Operations">
        {service.operations.map((listed) => (
          <a
            key={listed.id}
            href={`#${listed.id}`}
            aria-current={listed.id === id ? 'page' : undefined}
          >
            <span class="method">{listed.method}</span> {listed.id}
          </a>
        ))}
      </nav>
      {operation && (
        <article id={id}>
          <OperationTrial key={id} operation={operation} />
          <OperationReference operation={operation} />
        </article>
      )}
    </>
  )
}

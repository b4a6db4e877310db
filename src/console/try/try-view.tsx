import { useDocuments } from '../documents/documents.js'
import { findOperation, type ServiceOperation } from '../documents/service.js'
import { Card } from '../parts/card.js'
import { ErrorList } from '../parts/error-list.js'
import { Prose } from '../parts/prose.js'
import { StatusMark } from '../parts/status-mark.js'
import { OperationTrial } from './operation-trial.js'

/** One operation: a form that sends a request, and its reference. */
export function TryView({ id }: { id: string }) {
  const { service } = useDocuments()
  const operation = findOperation(service, id)
  return (
    <>
      <nav class="actions" aria-label="Operations">
        {service.operations.map((listed) => (
          <a
            key={listed.id}
            class="button"
            href={`#${listed.id}`}
            aria-current={listed.id === id ? 'page' : undefined}
          >
            <span class="code">{listed.method}</span> {listed.id}
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

/** The documentation of an operation. */
function OperationReference({ operation }: { operation: ServiceOperation }) {
  const { id, method, path, bases, description, stability, isDeprecated, success } = operation
  return (
    <Card
      title={id}
      aside={
        <>
          {stability && <span class="mark warn">{stability}</span>}
          {isDeprecated && <span class="mark warn">deprecated</span>}
        </>
      }
    >
      <p>
        <code>
          {method} {path}
        </code>{' '}
        below {bases.map((base) => base.path).join(' and ')}.
      </p>
      {description.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <h3>Responses</h3>
      <ul class="definitions">
        <li>
          <StatusMark status={success.status} /> <span>{success.description}</span>
        </li>
      </ul>
      <ErrorList errors={operation.errors} />
      <Assumptions ids={operation.assumptions} />
    </Card>
  )
}

function Assumptions({ ids }: { ids: readonly string[] }) {
  const { service } = useDocuments()
  if (ids.length === 0) return null
  return (
    <>
      <h3>Assumptions</h3>
      <ul class="definitions">
        {ids.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{id}</a>{' '}
            <span>
              <Prose
                text={`${service.assumptions[id]?.open ?? ''}: ${service.assumptions[id]?.chosen ?? ''}`}
              />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

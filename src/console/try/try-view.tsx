import { useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { findOperation, predictErrorCode, type ServiceOperation } from '../documents/service.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { ErrorList } from '../parts/error-list.js'
import { Form } from '../parts/form.js'
import type { Entries, FieldErrors, FormField } from '../parts/form-values.js'
import { HeaderList } from '../parts/header-list.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { indentJson } from '../parts/indent-json.js'
import { Prose } from '../parts/prose.js'
import { StatusMark } from '../parts/status-mark.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { findBaseUrl, type Outcome, sendRequest, toCurl, toRequest } from './request.js'

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

const loadPets = (client: PageClient) => client.send('listPets', { query: { limit: 50 } })

/** The sandbox checks the entries. */
const noErrors: FieldErrors = {}

/** Sends a request of one operation with the key of the page and shows the response. */
function OperationTrial({ operation }: { operation: ServiceOperation }) {
  const { access } = useSession()
  const { value: pets = [] } = useLoaded(loadPets)
  const [typed, setTyped] = useState<Entries>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [isWaiting, setWaiting] = useState(false)
  const petIds = pets.map(({ petId }) => String(petId))
  const entries = { ...toInitial(operation, petIds), ...typed }
  // The options state the codes as well: `404 pet_not_found`.
  const code = entries.code?.slice(0, 3) ?? ''
  const request = toRequest(operation, access, { ...entries, code })
  const send = async () => {
    setWaiting(true)
    setOutcome(await sendRequest(request))
    setWaiting(false)
  }
  const environment = findBaseUrl(operation, access.environment)?.environment
  return (
    <Card title={operation.summary}>
      {environment !== access.environment && (
        <p class="hint">This operation is available in {environment} only.</p>
      )}
      <div class="trial">
        <div>
          <Form
            fields={toFields(operation)}
            entries={entries}
            errors={noErrors}
            onEntry={(name, entry) => setTyped((before) => ({ ...before, [name]: entry }))}
            onSubmit={() => void (isWaiting || send())}
          >
            {/* Not disabled, so that it keeps the focus. */}
            <button type="submit" class="primary" aria-disabled={isWaiting}>
              {isWaiting ? 'Waiting…' : 'Send'}
            </button>
          </Form>
          <CodeBlock text={toCurl(request)} what="curl command" />
        </div>
        <OutcomeView outcome={outcome} />
      </div>
    </Card>
  )
}

/** Returns the fields of the form: the parameters, the body and the preferences. */
function toFields(operation: ServiceOperation): readonly FormField[] {
  const { parameters, requestExample, preferableStatuses, longestDelay: max } = operation
  const codes = preferableStatuses.map(
    (status) => `${status} ${predictErrorCode(operation, status) ?? ''}`,
  )
  const body: FormField = { name: 'body', title: 'Body', type: 'json', isLong: true }
  return [
    ...parameters.map(
      ({ name, isRequired, example }): FormField => ({
        name,
        title: name,
        type: 'text',
        isRequired,
        placeholder: example,
      }),
    ),
    ...(requestExample === undefined ? [] : [body]),
    {
      name: 'code',
      title: 'Preferred status',
      type: 'choice',
      options: codes,
      placeholder: 'none',
    },
    { name: 'delay', title: 'Preferred delay (s)', type: 'number', min: 0, max, placeholder: '0' },
  ]
}

/** Returns the documented examples, with the id of an existing pet. */
function toInitial(
  { parameters, requestExample }: ServiceOperation,
  petIds: readonly string[],
): Entries {
  const required = parameters.filter(({ isRequired }) => isRequired)
  const examples = required.map(({ name, example }) => {
    const isMissing = name === 'petId' && !petIds.includes(example)
    return [name, isMissing ? (petIds[0] ?? example) : example]
  })
  return {
    ...Object.fromEntries(examples),
    ...(requestExample !== undefined && { body: JSON.stringify(requestExample) }),
  }
}

/** The response of the latest request: status, headers and body. */
function OutcomeView({ outcome }: { outcome: Outcome | undefined }) {
  const { status, headers = [], body, failure } = outcome ?? {}
  return (
    <div class="outcome" role="status" aria-label="Response">
      {!outcome && <p class="hint">The response appears here.</p>}
      {status !== undefined && (
        <p>
          <StatusMark status={status} />
        </p>
      )}
      {failure && <p class="bad">{failure}</p>}
      {outcome && <HeaderList headers={headers} meanings={headerMeanings} />}
      {body && <CodeBlock text={indentJson(body)} what="body" />}
    </div>
  )
}

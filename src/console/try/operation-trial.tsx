import { useState } from 'preact/hooks'
import type { ServiceOperation } from '../documents/service.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { HeaderList } from '../parts/header-list.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { indentJson } from '../parts/indent-json.js'
import { StatusMark } from '../parts/status-mark.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import {
  findBaseUrl,
  type Outcome,
  sendRequest,
  type TryInput,
  toCurl,
  toRequest,
} from './request.js'
import { TrialFields } from './trial-fields.js'

/** Sends a request of one operation with the key of the page and shows the response. */
export function OperationTrial({ operation }: { operation: ServiceOperation }) {
  const { access } = useSession()
  const petIds = usePetIds()
  const [typed, setTyped] = useState<Partial<TryInput>>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [isWaiting, setWaiting] = useState(false)

  const input: TryInput = { ...toInitialInput(operation, petIds), ...typed }
  const request = toRequest(operation, access, input)
  const submit = async (event: Event) => {
    event.preventDefault()
    setWaiting(true)
    setOutcome(await sendRequest(request))
    setWaiting(false)
  }
  return (
    <Card title={operation.summary}>
      <EnvironmentNote operation={operation} environment={access.environment} />
      <div class="trial">
        <form onSubmit={(event) => void submit(event)}>
          <TrialFields
            operation={operation}
            input={input}
            petIds={petIds}
            onChange={(fields) => setTyped({ ...typed, ...fields })}
          />
          <button type="submit" class="primary" disabled={isWaiting}>
            {isWaiting ? 'Waiting…' : 'Send'}
          </button>
          <CodeBlock text={toCurl(request)} what="curl command" />
        </form>
        <OutcomeView outcome={outcome} />
      </div>
    </Card>
  )
}

function EnvironmentNote(props: { operation: ServiceOperation; environment: string }) {
  const base = findBaseUrl(props.operation, 'staging')
  if (!base || base.environment === props.environment || props.environment !== 'staging')
    return null
  return <p class="hint">This operation is available in {base.environment} only.</p>
}

const maximumPetIds = 50
const loadPets = (client: PageClient) =>
  client.send('listPets', { query: { limit: maximumPetIds } })

/** Returns ids of pets in the world, as suggestions for input. */
function usePetIds(): readonly string[] {
  const { value: pets = [] } = useLoaded(loadPets)
  return pets.map(({ petId }) => String(petId))
}

/** Returns the documented examples, with the id of an existing pet. */
function toInitialInput(
  { parameters, requestExample }: ServiceOperation,
  petIds: readonly string[],
): TryInput {
  const toValue = (name: string, example: string) =>
    name === 'petId' && !petIds.includes(example) ? (petIds[0] ?? example) : example
  return {
    parameters: Object.fromEntries(
      parameters.map(({ name, isRequired, example }) => [
        name,
        isRequired ? toValue(name, example) : '',
      ]),
    ),
    body: requestExample === undefined ? undefined : JSON.stringify(requestExample),
    code: '',
    delay: '',
  }
}

/** The response of the latest request: status, headers and body. */
function OutcomeView({ outcome }: { outcome: Outcome | undefined }) {
  return (
    <div class="outcome" role="status" aria-label="Response">
      {outcome ? <Response outcome={outcome} /> : <p class="hint">The response appears here.</p>}
    </div>
  )
}

function Response({ outcome: { status, headers, body, failure } }: { outcome: Outcome }) {
  return (
    <>
      {status !== undefined && (
        <p>
          <StatusMark status={status} />
        </p>
      )}
      {failure && <p class="bad">{failure}</p>}
      <HeaderList headers={headers} meanings={headerMeanings} />
      {body !== '' && <CodeBlock text={indentJson(body)} what="body" />}
    </>
  )
}

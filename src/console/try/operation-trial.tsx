import { useState } from 'preact/hooks'
import { addresses } from '../../contract/addresses.js'
import { operationDetails } from '../../contract/operation-details.js'
import { type OperationId, operations } from '../../operations/operations.js'
import type { ControlClient } from '../client/client.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { addressOf } from '../session/access.js'
import { root, useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { toCurl } from './curl.js'
import { OutcomePart } from './outcome.js'
import { parametersOf, type TryInput, toRequest } from './real-request.js'
import { type Outcome, sendRequest } from './send-request.js'
import { TrialFields } from './trial-fields.js'

const loadPetIds = (client: ControlClient) =>
  client.pets().then((pets) => pets.slice(0, 50).map(({ petId }) => String(petId)))

/** Calls one operation with the key of the page and shows all of the answer. */
export function OperationTrial({ id }: { id: OperationId }) {
  const { access } = useSession()
  const { value: petIds = [] } = useLoaded(loadPetIds)
  const [typed, setTyped] = useState<Partial<TryInput>>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [isWaiting, setWaiting] = useState(false)

  const input: TryInput = { ...toInitialInput(id, petIds), ...typed }
  const request = toRequest(root, id, access, input)
  const submit = async (event: Event) => {
    event.preventDefault()
    setWaiting(true)
    setOutcome(await sendRequest(request))
    setWaiting(false)
  }
  const isElsewhere =
    addresses[addressOf(operations[id], access.environment)].environment !== access.environment
  return (
    <Card title={operations[id].summary}>
      {isElsewhere && <p class="hint">This operation has one address only, which is production.</p>}
      <div class="trial">
        <form onSubmit={(event) => void submit(event)}>
          <TrialFields
            id={id}
            input={input}
            petIds={petIds}
            onChange={(fields) => setTyped({ ...typed, ...fields })}
          />
          <button type="submit" class="primary" disabled={isWaiting}>
            {isWaiting ? 'Waiting…' : 'Send'}
          </button>
          <CodeBlock text={toCurl(request)} what="curl line" isWrapped />
        </form>
        <OutcomePart outcome={outcome} />
      </div>
    </Card>
  )
}

/** The contract's own example, with a pet that the world has. */
function toInitialInput(id: OperationId, petIds: readonly string[]): TryInput {
  const { request } = operationDetails[id]
  const petId = petIds.includes('7') ? '7' : (petIds[0] ?? '7')
  return {
    parameters: Object.fromEntries(parametersOf(operations[id]).map((name) => [name, petId])),
    body: request === undefined ? undefined : JSON.stringify(request),
    code: '',
    wait: '',
  }
}

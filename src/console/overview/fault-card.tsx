import type { ControlClient } from '../client/control-client.js'
import { useDocuments } from '../documents/documents.js'
import { describeFault } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { FaultForm } from './fault-form.js'

const load = (client: ControlClient) => client.send('listFaults')

/** Lists, adds and removes the faults of the world. */
export function FaultCard() {
  const { act, client, journal } = useSession()
  const { control } = useDocuments()
  // A request can consume a fault.
  const { value, failure } = useLoaded(load, journal.revision)
  const faults = value ?? []
  const remove = (at: number) =>
    act('Removed the fault.', () => client.send('replaceFaults', { body: faults.toSpliced(at, 1) }))
  return (
    <Card
      title="Faults"
      aside={
        <button
          type="button"
          disabled={faults.length === 0}
          onClick={() => void act('Removed all faults.', () => client.send('clearFaults'))}
        >
          Clear
        </button>
      }
    >
      {failure && <LoadFailure what="The faults" failure={failure} />}
      {value?.length === 0 && <p class="hint">This world has no faults.</p>}
      <ul class="lines">
        {faults.map((fault, at) => (
          <FaultItem
            key={at}
            description={describeFault(fault, control.faultKinds)}
            onRemove={() => void remove(at)}
          />
        ))}
      </ul>
      <FaultForm
        kinds={control.faultKinds}
        onAdd={(fault) =>
          void act('Added the fault.', () =>
            client.send('addFault', { json: JSON.stringify(fault) }),
          )
        }
      />
    </Card>
  )
}

function FaultItem({ description, onRemove }: { description: string; onRemove: () => void }) {
  return (
    <li>
      <span>{description}</span>
      <button type="button" aria-label={`Remove: ${description}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  )
}

import type { ComponentChildren } from 'preact'
import type { ControlResult } from '../../control/operations.js'
import type { ControlClient } from '../client/control-client.js'
import { describeFault, type KindTitles } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import { type Loaded, useLoaded } from '../session/use-loaded.js'

const load = (client: ControlClient) => client.send('listFaults')

type Faults = Loaded<ControlResult<'listFaults'>>

/** Returns the faults of the world. */
export function useFaults(): Faults {
  // A request can consume a fault.
  return useLoaded(load, useSession().journal.revision)
}

/** Lists and removes the faults of the world. The children add them. */
export function FaultCard(props: {
  faults: Faults
  kinds: readonly KindTitles[]
  children: ComponentChildren
}) {
  const { act, client } = useSession()
  const { value, failure } = props.faults
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
            description={describeFault(fault, props.kinds)}
            onRemove={() => void remove(at)}
          />
        ))}
      </ul>
      {props.children}
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

import { describeFault } from '../../world/faults/describe.js'
import type { Fault } from '../../world/faults/faults.js'
import type { ControlClient } from '../client/client.js'
import { Card } from '../parts/card.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { FaultFormPart } from './fault-form.js'

const load = (client: ControlClient) => client.faults()

/** What goes wrong in the world, and how to make more go wrong. */
export function FaultCard() {
  const { act, client, journal } = useSession()
  // A call may use a fault up.
  const { value: faults = [] } = useLoaded(load, journal.revision)
  const replace = (done: string, next: readonly Fault[]) =>
    void act(done, () => client.replaceFaults(next))
  return (
    <Card
      title="Faults"
      aside={
        <button
          type="button"
          disabled={faults.length === 0}
          onClick={() => void act('No faults are left.', () => client.clearFaults())}
        >
          Clear
        </button>
      }
    >
      {faults.length === 0 && <p class="hint">Nothing goes wrong by itself.</p>}
      <ul class="lines">
        {faults.map((fault, at) => (
          <li key={at}>
            <span>{describeFault(fault)}</span>
            <button
              type="button"
              aria-label={`Remove: ${describeFault(fault)}`}
              onClick={() => replace('The fault is removed.', faults.toSpliced(at, 1))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <FaultFormPart
        onAdd={(fault) =>
          act('The fault is added.', () => client.replaceFaults([...faults, fault]))
        }
      />
    </Card>
  )
}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ControlResult } from '../../control/operations.js'
import { describeEffect, describeScope, type KindTitles } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { type Loaded, useLoaded } from '../session/use-loaded.js'
import { changeFault, type Fault } from './change.js'

const load = (client: PageClient) => client.send('listFaults')

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
  /** Opens a fault for editing. Default: it cannot be edited. */
  onEdit?: (fault: Fault, at: number) => void
  children: ComponentChildren
}) {
  const { act, client } = useSession()
  const { value, failure } = props.faults
  const faults = value ?? []
  const list = useRef<HTMLDivElement>(null)
  const hasRemoved = useRef(false)
  // The last item of the list is removed together with its button, which has the focus.
  useLayoutEffect(() => {
    if (hasRemoved.current && document.activeElement === document.body) list.current?.focus()
    hasRemoved.current = false
  }, [faults.length])
  const remove = (fault: Fault, at: number) => {
    hasRemoved.current = true
    return act('Removed the fault.', () => changeFault(client, fault, at))
  }
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
      <div ref={list} tabIndex={-1} role="group" aria-label="Faults of this world">
        {value?.length === 0 && <p class="hint">This world has no faults.</p>}
        <ul class="lines">
          {faults.map((fault, at) => (
            <FaultItem
              key={at}
              fault={fault}
              kinds={props.kinds}
              onEdit={props.onEdit && (() => props.onEdit?.(fault, at))}
              onRemove={() => void remove(fault, at)}
            />
          ))}
        </ul>
      </div>
      {props.children}
    </Card>
  )
}

function FaultItem(props: {
  fault: Fault
  kinds: readonly KindTitles[]
  onEdit: (() => void) | undefined
  onRemove: () => void
}) {
  const { fault, kinds, onEdit, onRemove } = props
  const effect = describeEffect(fault, kinds)
  const scope = describeScope(fault)
  return (
    <li>
      <span class="grow fault">
        <b>{effect}</b>: {scope}
      </span>
      <span class="actions">
        {onEdit && (
          <button type="button" aria-label={`Edit: ${effect}: ${scope}`} onClick={onEdit}>
            Edit
          </button>
        )}
        <button type="button" aria-label={`Remove: ${effect}: ${scope}`} onClick={onRemove}>
          Remove
        </button>
      </span>
    </li>
  )
}

import type { ComponentChildren } from 'preact'
import type { ControlResult } from '../../control/operations.js'
import { describeEffect, describeScope, type KindTitles } from '../documents/fault-kinds.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/load-failure.js'
import { useKeptFocus } from '../parts/use-kept-focus.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'

export type Fault = ControlResult<'listFaults'>[number]

const load = (client: PageClient) => client.send('listFaults')

/** Returns the faults of the world. */
export function useFaults() {
  // A request can consume a fault.
  return useLoaded(load, useSession().journal.revision)
}

/** Lists and removes the faults of the world. The children add them. */
export function FaultCard(props: {
  faults: ReturnType<typeof useFaults>
  kinds: readonly KindTitles[]
  /** Opens a fault for editing. Default: it cannot be edited. */
  onEdit?: (fault: Fault, at: number) => void
  children: ComponentChildren
}) {
  const { act, client } = useSession()
  const { kinds, onEdit, children } = props
  const { value, failure } = props.faults
  const faults = value ?? []
  const list = useKeptFocus<HTMLDivElement>()
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
          {faults.map((fault, at) => {
            const effect = describeEffect(fault, kinds)
            const scope = describeScope(fault)
            const remove = () => act('Removed the fault.', () => changeFault(client, fault, at))
            return (
              <li key={at}>
                <span class="grow fault">
                  <b>{effect}</b>: {scope}
                </span>
                <span class="actions">
                  {onEdit && (
                    <button
                      type="button"
                      aria-label={`Edit: ${effect}: ${scope}`}
                      onClick={() => onEdit(fault, at)}
                    >
                      Edit
                    </button>
                  )}
                  <button
                    type="button"
                    aria-label={`Remove: ${effect}: ${scope}`}
                    onClick={() => void remove()}
                  >
                    Remove
                  </button>
                </span>
              </li>
            )
          })}
        </ul>
      </div>
      {children}
    </Card>
  )
}

/**
 * Replaces or removes one fault. Reads the list again first, because requests use up faults, and
 * other clients change them.
 *
 * @param shown The fault as the page shows it.
 * @param at Its position in the shown list.
 * @param json The new fault as JSON; undefined to remove it.
 * @throws {Error} If the sandbox does not have the fault any more.
 */
export async function changeFault(
  client: PageClient,
  shown: Fault,
  at: number,
  json?: string,
): Promise<void> {
  const faults = await client.send('listFaults')
  const found = findFault(faults, shown, at)
  if (found === undefined) {
    throw new Error('the fault is used up, or was removed elsewhere; the others did not change')
  }
  const changed = faults.map((fault) => JSON.stringify(fault))
  changed.splice(found, 1, ...(json === undefined ? [] : [json]))
  await client.send('replaceFaults', { json: `[${changed}]` })
}

/** Returns the position of a fault in a newer list: of equal ones, the one at its former position. */
export function findFault(faults: readonly Fault[], shown: Fault, at: number): number | undefined {
  const identity = identifyFault(shown)
  return [at, ...faults.keys()].find((key) => identifyFault(faults[key]) === identity)
}

/** Returns a string that stays the same while requests use a fault. */
export function identifyFault(fault: Partial<Fault> | undefined): string {
  const { skip: _, triggered = 0, ...rest } = fault ?? {}
  const { atMost, sequence, ...fields } = { atMost: undefined, sequence: undefined, ...rest }
  // What remains and what was used always add up to the same.
  const uses = (atMost ?? sequence?.length ?? NaN) + triggered
  const last = sequence && JSON.stringify(sequence.at(-1))
  return JSON.stringify([uses, last, Object.entries(fields).sort()])
}

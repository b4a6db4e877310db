import { useState } from 'preact/hooks'
import type { ControlBody } from '../../control/operations.js'
import { operationIds } from '../../service/operations/operations.js'
import { useSession } from '../session/session.js'
import { changeFault, type Fault, identifyFault } from './fault-card.js'

/** A frequent fault that one button adds. */
interface Preset {
  readonly label: string
  /** What happens to the requests, without a full stop. */
  readonly effect: string
  readonly fault: ControlBody<'addFault'>
}

const presets: readonly Preset[] = [
  {
    label: 'Down for 3 requests',
    effect: 'The next three requests receive 503',
    fault: { type: 'status', status: 503, atMost: 3 },
  },
  {
    label: 'Slow',
    effect: 'Each response takes 2 s longer',
    fault: { type: 'delay', delayMs: 2000 },
  },
  {
    label: '20 % errors',
    effect: 'About one of five requests receives 503',
    fault: { type: 'status', status: 503, rate: 0.2 },
  },
  {
    label: 'Fail the next request',
    effect: 'The next request receives 503',
    fault: { type: 'status', status: 503, atMost: 1 },
  },
  {
    label: 'Break the next connection',
    effect: 'The connection of the next request is reset',
    fault: { type: 'reset', atMost: 1 },
  },
  {
    label: 'Lose the next response',
    effect: 'The next request is carried out, but its response does not arrive',
    fault: { type: 'reset', phase: 'after', atMost: 1 },
  },
  {
    label: 'Truncate the next response',
    effect: 'The next response ends in the middle of its body',
    fault: { type: 'truncate', share: 0.5, atMost: 1 },
  },
]

/**
 * Adds the most frequent faults with one click, for all operations or a selected one. A pressed
 * button is one of the faults of the world; pressing it again removes this fault, so that none is
 * added twice by mistake.
 */
export function FaultPresets(props: {
  faults: readonly Fault[] | undefined
  /** Labels of presets that are not shown. */
  omit?: readonly string[]
}) {
  const { faults = [], omit = [] } = props
  const [operation, setOperation] = useState('')
  const { act, client } = useSession()
  const toggle = ({ label, effect }: Preset, fault: Preset['fault']) => {
    const at = findPreset(faults, fault)
    const active = faults[at]
    const scope = operation && `${operation}: `
    if (active) return act(`Removed: ${scope}${label}.`, () => changeFault(client, active, at))
    return act(`${scope}${effect}.`, () => client.send('addFault', { body: fault }))
  }
  return (
    <>
      <label class="actions">
        For
        <select value={operation} onChange={(event) => setOperation(event.currentTarget.value)}>
          <option value="">all operations</option>
          {operationIds.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <div class="actions">
        {presets
          .filter(({ label }) => !omit.includes(label))
          .map((preset) => {
            const { label, effect } = preset
            const fault = toFault(preset, operation)
            return (
              <button
                key={label}
                type="button"
                aria-pressed={findPreset(faults, fault) >= 0}
                title={`${effect}.`}
                onClick={() => void toggle(preset, fault)}
              >
                {label}
              </button>
            )
          })}
      </div>
    </>
  )
}

/** Returns the fault of a preset for an operation; for all of them if the name is empty. */
function toFault({ fault }: Preset, operation: string): Preset['fault'] {
  return operation ? ({ ...fault, operation } as Preset['fault']) : fault // the id of an operation
}

/** Returns the position of the fault that a preset has added; −1 if there is none. */
function findPreset(faults: readonly Fault[], preset: Preset['fault']): number {
  const identity = identifyFault(preset as Partial<Fault>) // stated with all of its defaults
  return faults.findIndex((fault) => !fault.skip && identifyFault(fault) === identity)
}

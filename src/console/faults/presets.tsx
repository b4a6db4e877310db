import type { ControlBody } from '../../control/operations.js'
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
 * Adds the most frequent faults with one click. A pressed button is one of the faults of the world;
 * pressing it again removes this fault, so that none is added twice by mistake.
 */
export function FaultPresets(props: {
  faults: readonly Fault[] | undefined
  /** Whether the effects are only tooltips. */
  isCompact?: boolean
  /** Labels of presets that are not shown. */
  omit?: readonly string[]
}) {
  const { faults = [], isCompact = false, omit = [] } = props
  const { act, client } = useSession()
  const toggle = ({ effect, fault, label }: Preset) => {
    const at = findPreset(faults, fault)
    const active = faults[at]
    if (active) return act(`Removed: ${label}.`, () => changeFault(client, active, at))
    return act(`${effect}.`, () => client.send('addFault', { body: fault }))
  }
  return (
    <div class={isCompact ? 'actions' : 'presets'}>
      {presets
        .filter(({ label }) => !omit.includes(label))
        .map((preset) => (
          <button
            key={preset.label}
            type="button"
            aria-pressed={findPreset(faults, preset.fault) >= 0}
            title={isCompact ? `${preset.effect}.` : undefined}
            onClick={() => void toggle(preset)}
          >
            {isCompact ? (
              preset.label
            ) : (
              <>
                <b>{preset.label}</b>
                <span class="hint">{preset.effect}.</span>
              </>
            )}
          </button>
        ))}
    </div>
  )
}

/** Returns the position of the fault that a preset has added; −1 if there is none. */
function findPreset(faults: readonly Fault[], preset: Preset['fault']): number {
  const identity = identifyFault(preset as Partial<Fault>) // stated with all of its defaults
  return faults.findIndex((fault) => !fault.skip && identifyFault(fault) === identity)
}

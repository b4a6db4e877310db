import { parseJson } from '../../service/json.js'
import type { FaultField } from '../documents/fault-kinds.js'

/** Attributes of an input that refer to its help and its error. */
export interface InputIds {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': boolean
}

/** Frequent steps, by the label of the button that appends them. */
const steps = {
  'Let it pass': '"pass"',
  'Error 503': '{"status":503}',
  'Error 429 with Retry-After': '{"status":429,"retryAfterSeconds":2}',
  'Delay 1 s': '{"delayMs":1000}',
  'Reset the connection': '{"type":"reset"}',
  'Truncate the body': '{"type":"truncate"}',
} as const

/** The steps of a sequence as JSON, one a line. Buttons append frequent ones. */
export function SequenceInput(props: {
  ids: InputIds
  field: FaultField
  entry: string
  onChange: (entry: string) => void
}) {
  const { ids, field, entry, onChange } = props
  const present = readSteps(entry)
  return (
    <>
      <textarea
        {...ids}
        class="code"
        name={field.name}
        rows={Math.min(12, Math.max(3, entry.split('\n').length))}
        spellcheck={false}
        required={field.isRequired}
        value={entry}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <fieldset class="actions" disabled={!present}>
        <legend class="unseen">Append a step</legend>
        {Object.entries(steps).map(([label, step]) => (
          <button
            key={label}
            type="button"
            aria-label={`Append the step: ${label}`}
            onClick={() => onChange(toLines([...(present ?? []), step]))}
          >
            + {label}
          </button>
        ))}
        <button type="button" onClick={() => onChange('')}>
          Remove all steps
        </button>
      </fieldset>
    </>
  )
}

/** Returns the steps as JSON; undefined if the entry is not a list of them. */
function readSteps(entry: string): readonly string[] | undefined {
  if (entry.trim() === '') return []
  const value = parseJson(entry)
  return Array.isArray(value) ? value.map((step) => JSON.stringify(step)) : undefined
}

function toLines(lines: readonly string[]): string {
  return `[\n  ${lines.join(',\n  ')}\n]`
}

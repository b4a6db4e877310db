import { useId, useState } from 'preact/hooks'
import {
  type AnyFault,
  type FaultEntries,
  type FaultField,
  type FaultKind,
  toFault,
  toInitialEntries,
} from '../documents/fault-kinds.js'
import { useSession } from '../session/session.js'

/** A form that adds a fault. Each kind has the fields that the control API documents. */
export function NewFault({ kinds }: { kinds: readonly FaultKind[] }) {
  const { act, client } = useSession()
  const add = (fault: AnyFault) =>
    act('Added the fault.', () => client.send('addFault', { json: JSON.stringify(fault) }))
  const [chosen, setChosen] = useState(kinds[0])
  if (!chosen) return null
  return (
    <div class="fault-form">
      <label class="field">
        Kind of fault
        <select
          value={chosen.type}
          onChange={({ currentTarget: { value } }) =>
            setChosen(kinds.find(({ type }) => type === value))
          }
        >
          {kinds.map(({ type, title }) => (
            <option key={type} value={type}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">{chosen.description}</p>
      <KindForm key={chosen.type} kind={chosen} onAdd={(fault) => void add(fault)} />
    </div>
  )
}

function KindForm({ kind, onAdd }: { kind: FaultKind; onAdd: (fault: AnyFault) => void }) {
  const [entries, setEntries] = useState<FaultEntries>(() => toInitialEntries(kind))
  const submit = (event: Event) => {
    event.preventDefault()
    onAdd(toFault(kind, entries))
  }
  return (
    <form class="grid-form" onSubmit={submit}>
      {kind.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          entry={entries[field.name] ?? ''}
          onChange={(entry) => setEntries({ ...entries, [field.name]: entry })}
        />
      ))}
      <button type="submit">Add</button>
    </form>
  )
}

interface FieldProps {
  readonly field: FaultField
  readonly entry: string
  readonly onChange: (entry: string) => void
}

function Field(props: FieldProps) {
  const { field } = props
  const id = useId()
  const hasChoice = field.input === 'choice' || field.input === 'boolean'
  return (
    <div class="field">
      <label for={id}>{field.title}</label>
      {hasChoice ? <ChoiceInput id={id} {...props} /> : <EntryInput id={id} {...props} />}
      <span id={`${id}-help`} class="help">
        {field.description}
      </span>
    </div>
  )
}

function ChoiceInput({ id, field, entry, onChange }: FieldProps & { id: string }) {
  const options = field.input === 'boolean' ? ['true', 'false'] : field.options
  return (
    <select
      id={id}
      name={field.name}
      aria-describedby={`${id}-help`}
      value={entry}
      required={field.isRequired}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{toPlaceholder(field)}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  )
}

function EntryInput({ id, field, entry, onChange }: FieldProps & { id: string }) {
  const { name, input, min, max, pattern, isRequired } = field
  const shared = {
    id,
    name,
    'aria-describedby': `${id}-help`,
    placeholder: toPlaceholder(field),
    value: entry,
    required: isRequired,
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  }
  if (input === 'text' || input === 'json')
    return <input type="text" pattern={pattern} {...shared} />
  return (
    <input type="number" step={input === 'number' ? 'any' : '1'} min={min} max={max} {...shared} />
  )
}

/** Shown in an empty field. */
function toPlaceholder({ defaultValue, isRequired }: FaultField): string {
  return defaultValue || (isRequired ? '' : 'optional')
}

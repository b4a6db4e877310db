import { useId } from 'preact/hooks'
import type { FaultField } from '../documents/fault-kinds.js'
import { type InputIds, SequenceInput } from './sequence-input.js'

interface FieldProps {
  readonly field: FaultField
  readonly entry: string
  readonly onChange: (entry: string) => void
}

/** A field of the form for a fault, with its help and the error of the latest attempt. */
export function FieldInput(props: FieldProps & { error?: string | undefined }) {
  const { field, error } = props
  const id = useId()
  const ids: InputIds = {
    id,
    'aria-describedby': `${id}-help ${id}-error`,
    'aria-invalid': error !== undefined,
  }
  return (
    <div class={`field ${field.name === 'sequence' ? 'wide' : ''}`}>
      <label for={id}>{field.title}</label>
      <Input ids={ids} {...props} />
      <span id={`${id}-error`} role="alert" class="bad">
        {error}
      </span>
      <span id={`${id}-help`} class="help">
        {field.description}
      </span>
    </div>
  )
}

function Input(props: FieldProps & { ids: InputIds }) {
  const { input, name } = props.field
  if (input === 'choice' || input === 'boolean') return <ChoiceInput {...props} />
  if (name === 'sequence') return <SequenceInput {...props} />
  return <EntryInput {...props} />
}

function ChoiceInput({ ids, field, entry, onChange }: FieldProps & { ids: InputIds }) {
  const options = field.input === 'boolean' ? ['true', 'false'] : field.options
  return (
    <select
      {...ids}
      name={field.name}
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

function EntryInput({ ids, field, entry, onChange }: FieldProps & { ids: InputIds }) {
  const { name, input, min, max, pattern, isRequired } = field
  const shared = {
    ...ids,
    name,
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

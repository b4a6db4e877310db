import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Entries, FieldErrors, FormField } from './form-values.js'

/** A form of the fields of a schema. The children are its buttons. */
export function Form(props: {
  fields: readonly FormField[]
  entries: Entries
  /** The errors of the latest attempt. The first invalid field gets the focus. */
  errors: FieldErrors
  onEntry: (name: string, entry: string) => void
  onSubmit: () => void
  /** Returns what is shown below the control of a field. */
  toExtra?: (field: FormField) => ComponentChildren
  children: ComponentChildren
}) {
  const { fields, entries, errors, onEntry, onSubmit, toExtra, children } = props
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return (
    <form
      ref={form}
      class="grid-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          entry={entries[field.name] ?? ''}
          error={errors[field.name]}
          onEntry={(entry) => onEntry(field.name, entry)}
          extra={toExtra?.(field)}
        />
      ))}
      <div class="wide form-end">
        <p role="alert" class="bad">
          {errors['']}
        </p>
        <div class="actions">{children}</div>
      </div>
    </form>
  )
}

function FieldRow(props: {
  field: FormField
  entry: string
  error: string | undefined
  onEntry: (entry: string) => void
  extra: ComponentChildren
}) {
  const { field, entry, error, onEntry, extra } = props
  const id = useId()
  return (
    <div class={`field ${field.isLong ? 'wide' : ''}`}>
      <label for={id}>{field.title}</label>
      <Control
        id={id}
        aria-describedby={`${id}-error ${id}-help`}
        aria-invalid={error !== undefined}
        field={field}
        entry={entry}
        onEntry={onEntry}
      />
      {extra}
      <span id={`${id}-error`} role="alert" class="bad">
        {error}
      </span>
      <span id={`${id}-help`} class="hint">
        {field.help}
      </span>
    </div>
  )
}

interface ControlProps {
  readonly field: FormField
  readonly entry: string
  /** Called with each change while the user types. */
  readonly onEntry: (entry: string) => void
  /** Called when the user has finished a change, like the DOM event `change`. */
  readonly onDone?: (entry: string) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly id?: string
  readonly class?: string
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

/** The control of a field. */
export function Control(props: ControlProps) {
  const { field, entry, onEntry, onDone, ...others } = props
  const { name, type, isRequired, isLong, options, min, max, pattern, placeholder } = field
  if (type === 'boolean') {
    return (
      <input
        {...others}
        type="checkbox"
        name={name}
        checked={entry === 'true'}
        onInput={({ currentTarget }) => onEntry(String(currentTarget.checked))}
        onChange={({ currentTarget }) => onDone?.(String(currentTarget.checked))}
      />
    )
  }
  const shared = {
    class: type === 'json' ? 'code' : undefined,
    ...others,
    name,
    value: entry,
    required: isRequired,
    onInput: ({ currentTarget }: Changed) => onEntry(currentTarget.value),
    onChange: ({ currentTarget }: Changed) => onDone?.(currentTarget.value),
  }
  if (type === 'choice') {
    return (
      <select {...shared}>
        {!isRequired && <option value="">{placeholder}</option>}
        {options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  }
  if (isLong) return <textarea dir="auto" rows={toRows(entry)} spellcheck={false} {...shared} />
  return (
    <input
      {...(type in steps && { type: 'number', step: steps[type] })}
      dir="auto"
      autocomplete="off"
      min={min}
      max={max}
      pattern={pattern}
      placeholder={placeholder}
      {...shared}
    />
  )
}

function toRows(entry: string): number {
  return Math.min(12, Math.max(3, entry.split('\n', 12).length))
}

/** Steps of the number fields. */
const steps: Partial<Record<FormField['type'], number | 'any'>> = { integer: 1, number: 'any' }

/** An event of an input, a text area or a menu. */
interface Changed {
  readonly currentTarget: { readonly value: string }
}

import type { ComponentChild } from 'preact'
import { useSession } from '../session/session.js'
import { type Field, type JsonRecord, toText } from './fields.js'
import { InPlaceInput } from './in-place-input.js'
import type { RecordKind } from './record-kind.js'
import type { Column } from './table.js'
import type { RecordActions } from './use-record-actions.js'

/** Returns cells that change a field in place. */
export interface Cells<T> {
  toInput(row: T, name: string): ComponentChild
  toSelect(row: T, name: string): ComponentChild
  toCheckbox(row: T, name: string): ComponentChild
}

/** @param isGone Whether a row no longer exists. */
export function useCells<T extends JsonRecord>(
  kind: RecordKind<T>,
  actions: RecordActions<T>,
  isGone: (row: T) => boolean,
): Cells<T> {
  const { notify } = useSession()
  const bind = (row: T, name: string) => {
    const field = findField(kind, name)
    const label = `${field.label} of ${kind.toName(row)}`
    return { field, label, value: toText(field, row[name]) }
  }
  const save = async (row: T, name: string, text: string) => {
    const problems = await actions.change(row, { [name]: text })
    return problems && Object.values(problems).join('; ')
  }
  const saveOrNotify = async (row: T, name: string, text: string) => {
    const problem = await save(row, name, text)
    if (problem !== undefined) notify(problem, 'error')
  }
  return {
    toInput(row, name) {
      const bound = bind(row, name)
      // An input would remove line breaks.
      if (/[\r\n]/.test(bound.value)) return <Clipped text={bound.value} />
      return (
        <InPlaceInput
          {...bound}
          onSave={(text) => save(row, name, text)}
          onAbandon={(text) => isGone(row) && actions.offer(row, { [name]: text })}
        />
      )
    },
    toSelect: (row, name) => (
      <SelectCell {...bind(row, name)} onSave={(text) => void saveOrNotify(row, name, text)} />
    ),
    toCheckbox: (row, name) => (
      <CheckboxCell {...bind(row, name)} onSave={(text) => void saveOrNotify(row, name, text)} />
    ),
  }
}

interface CellProps {
  readonly field: Field
  readonly label: string
  readonly value: string
  readonly onSave: (text: string) => void
}

function CheckboxCell({ field, label, value, onSave }: CellProps) {
  return (
    <input
      type="checkbox"
      data-control={field.name}
      aria-label={label}
      checked={value === 'true'}
      onChange={(event) => onSave(String(event.currentTarget.checked))}
    />
  )
}

/** @throws {Error} If records of the kind have no such field. */
function findField(
  { fields, noun }: Pick<RecordKind<JsonRecord>, 'fields' | 'noun'>,
  name: string,
): Field {
  const field = fields.find((other) => other.name === name)
  if (field) return field
  throw new Error(`${noun} has no field ${name}`)
}

function SelectCell({ field, label, value, onSave }: CellProps) {
  return (
    <select
      class="in-place"
      data-control={field.name}
      aria-label={label}
      value={value}
      onChange={(event) => onSave(event.currentTarget.value)}
    >
      {field.choices?.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

/** The column with the buttons of each row. */
export function toActionColumn<T extends JsonRecord>(
  { toName }: RecordKind<T>,
  { remove }: RecordActions<T>,
  onEdit: (row: T) => void,
): Column<T> {
  return {
    title: 'Actions',
    class: 'end',
    toCell: (row) => (
      <>
        <button
          type="button"
          data-control="edit"
          aria-label={`Edit ${toName(row)}`}
          onClick={() => onEdit(row)}
        >
          Edit…
        </button>{' '}
        <button
          type="button"
          data-control="remove"
          aria-label={`Remove ${toName(row)}`}
          onClick={() => void remove(row)}
        >
          Remove
        </button>
      </>
    ),
  }
}

/** The beginning of a string, in one line. */
export function Clipped({ text }: { text: string }) {
  return (
    <span class="clipped" dir="auto">
      {text.slice(0, 200)}
    </span>
  )
}

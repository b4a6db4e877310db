import { useId, useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { Control } from '../parts/form.js'
import { toEntry, toJsonObject } from '../parts/form-values.js'
import { LoadFailure } from '../parts/load-failure.js'
import { DismissButton } from '../parts/notices.js'
import { type Column, DataTable, type SortValue } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { useKeptFocus } from '../parts/use-kept-focus.js'
import { RecordDialog } from './record-dialog.js'
import {
  findFreeId,
  type JsonRecord,
  type RecordField,
  type RecordKind,
  toId,
} from './record-kind.js'
import { type Records, useRecords } from './use-records.js'

/**
 * A table of records that can be changed, added and removed.
 *
 * @param props.kind Must be the same object on each render.
 */
export function RecordTable({ kind }: { kind: RecordKind }) {
  const { title, article, fields, toName } = kind
  const records = useRecords(kind)
  const { rows, failure, add, change } = records
  const [edited, setEdited] = useState<{ readonly row: JsonRecord | undefined }>()
  const part = useKeptFocus<HTMLDivElement>()
  const name = title.toLowerCase()
  const addButton = (
    <button type="button" onClick={() => setEdited({ row: undefined })}>
      Add {article}…
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div ref={part} tabIndex={-1} role="group" aria-label={`Editor of ${name}`}>
      <Card title={title} class="records" aside={rows && addButton} isBusy={!rows && !failure}>
        {failure && <LoadFailure what={`The ${name}`} failure={failure} />}
        {rows && (
          <DataTable
            title={title}
            rows={rows}
            columns={toColumns(kind, records, (row) => setEdited({ row }))}
            toKey={(row) => String(toId(kind, row))}
            toText={(row) => fields.map((field) => row[field.name]).join(' ')}
            filter={{
              label: `Status of the shown ${name}`,
              all: 'All statuses',
              options: fields.find((field) => field.name === 'status')?.options ?? [],
              toOption: (row) => String(row.status),
            }}
            empty={`The store has no ${name}.`}
          />
        )}
        <UndoBar kind={kind} records={records} />
      </Card>
      {edited && (
        <RecordDialog
          kind={kind}
          title={edited.row ? `Edit ${toName(edited.row)}` : `Add ${article}`}
          record={edited.row}
          newId={findFreeId((rows ?? []).map((row) => toId(kind, row)))}
          onSave={(json) => (edited.row ? change(edited.row, json) : add(json))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

/** The last removals, until the user dismisses them. */
function UndoBar({ kind, records }: { kind: RecordKind; records: Records }) {
  const { removed, undo, dismiss } = records
  const last = removed.at(-1)
  return (
    <div class="removals" role="status">
      {last && (
        <>
          <span class="grow">
            Removed {kind.toName(last)}
            {removed.length > 1 && ` and ${removed.length - 1} before`}.
          </span>
          <button type="button" onClick={() => void undo()}>
            Undo: {kind.toName(last)}
          </button>
          <DismissButton label="Dismiss" onClick={dismiss} />
        </>
      )}
    </div>
  )
}

function toColumns(
  kind: RecordKind,
  { change, remove }: Records,
  onEdit: (row: JsonRecord) => void,
): readonly Column<JsonRecord>[] {
  const shown = kind.fields.filter(({ cell }) => cell !== undefined)
  return [
    ...shown.map((field) => toColumn(kind, field, change)),
    {
      title: 'Actions',
      class: 'end',
      toCell: (row) => (
        <>
          <button type="button" aria-label={`Edit ${kind.toName(row)}`} onClick={() => onEdit(row)}>
            Edit…
          </button>{' '}
          <button
            type="button"
            aria-label={`Remove ${kind.toName(row)}`}
            onClick={() => void remove(row)}
          >
            Remove
          </button>
        </>
      ),
    },
  ]
}

function toColumn(
  { fields, toName }: RecordKind,
  field: RecordField,
  change: Records['change'],
): Column<JsonRecord> {
  const { name, title, cell } = field
  return {
    title: cell === 'time' ? `${title} (UTC)` : title,
    isRowHeader: field === fields[0],
    class: cell === 'id' ? 'code' : undefined,
    toSortValue: (row) => toSortValue(row[name], cell),
    toCell: (row) => {
      const value = toEntry(row[name])
      if (cell === 'time') return <Time at={value} />
      if (cell !== 'input') return <Clipped text={value} />
      const save = (entry: string) => change(row, toJsonObject([field], { [name]: entry }))
      const label = `${title} of ${toName(row)}`
      return <InPlace field={field} label={label} value={value} onSave={save} />
    },
  }
}

function toSortValue(value: unknown, cell: RecordField['cell']): SortValue {
  if (cell === 'id') return BigInt(String(value))
  if (cell === 'time') return Date.parse(String(value))
  return typeof value === 'number' ? value : String(value)
}

/**
 * A control in a table that saves each change. Escape discards what was typed; the reason of a
 * failure stays beside it.
 */
function InPlace(props: {
  field: RecordField
  /** Accessible name, such as `Quantity of Nemo`. */
  label: string
  value: string
  /** Saves an entry. Returns the reason of a failure. */
  onSave: (entry: string) => Promise<string | undefined>
}) {
  const { field, label, value, onSave } = props
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const discard = () => {
    setTyped(undefined)
    setProblem(undefined)
  }
  const save = async (entry: string) => {
    const found = entry === value ? undefined : await onSave(entry)
    setProblem(found)
    // What was typed while the entry was saved stays.
    if (found === undefined) setTyped((now) => (now === entry ? undefined : now))
  }
  return (
    <>
      <Control
        class={`in-place ${field.type}`}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={id}
        field={field}
        entry={typed ?? value}
        onEntry={setTyped}
        onDone={(entry) => void save(entry)}
        onKeyDown={(event) => event.key === 'Escape' && discard()}
      />
      <p id={id} class="note bad" role="status">
        {problem}
      </p>
    </>
  )
}

/** The beginning of a string, in one line. */
export function Clipped({ text }: { text: string }) {
  return (
    <span class="clipped" dir="auto">
      {text.slice(0, 200)}
    </span>
  )
}

import { useRef, useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { type Cells, toActionColumn, useCells } from './cells.js'
import type { Draft, JsonRecord } from './fields.js'
import { LoadedTable } from './loaded-table.js'
import { RecordDialog } from './record-dialog.js'
import type { RecordKind } from './record-kind.js'
import { type Removal, RemovalList } from './removal-list.js'
import type { Column } from './table.js'
import { TableTools } from './table-tools.js'
import { type RecordActions, useRecordActions } from './use-record-actions.js'
import { type RecordList, useRecords } from './use-records.js'
import { useStableFocus } from './use-stable-focus.js'
import { useTable } from './use-table.js'

interface RecordTableProps<T extends JsonRecord> {
  /** Must be the same object on each render. */
  readonly kind: RecordKind<T>
  /** Returns the columns that precede the actions. */
  readonly toColumns: (cells: Cells<T>) => readonly Column<T>[]
  /** The fields of a new record, except its id. */
  readonly initial: Draft
  /** Shown instead of an empty table. */
  readonly empty: string
}

/** A table of records that can be changed, added and removed. */
export function RecordTable<T extends JsonRecord>(props: RecordTableProps<T>) {
  const { kind, toColumns } = props
  const part = useRef<HTMLDivElement>(null)
  const list = useRecords(kind.name, kind.list)
  const actions = useRecordActions(kind, list)
  const [edited, setEdited] = useState<{ readonly row: T | undefined }>()
  const cells = useCells(kind, actions, useGone(kind, list))
  const columns = [...toColumns(cells), toActionColumn(kind, actions, (row) => setEdited({ row }))]
  const isHeld = () =>
    part.current?.contains(document.activeElement) === true &&
    document.activeElement?.closest('.tools') === null
  const table = useTable({ ...kind, rows: list.rows, columns, isHeld })
  const add = list.rows && (
    <button type="button" data-fallback onClick={() => setEdited({ row: undefined })}>
      Add {kind.article}…
    </button>
  )
  return (
    <div ref={part}>
      <Card title={kind.title} class="records" aside={add} isBusy={!list.rows && !list.failure}>
        <TableTools {...table} title={kind.title} statuses={kind.statuses} />
        <LoadedTable
          title={kind.title}
          toKey={kind.toKey}
          empty={props.empty}
          {...{ list, table, columns }}
        />
        <Removals kind={kind} actions={actions} part={part} />
      </Card>
      {edited && (
        <EditDialog
          {...props}
          row={edited.row}
          rows={list.rows ?? []}
          actions={actions}
          onAdded={table.showEnd}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

/** Returns a function that returns whether a row no longer exists. */
function useGone<T extends JsonRecord>(
  { toKey }: RecordKind<T>,
  { rows }: RecordList<T>,
): (row: T) => boolean {
  const latest = useRef(rows)
  latest.current = rows
  return (row) => latest.current?.every((other) => toKey(other) !== toKey(row)) ?? false
}

function Removals<T extends JsonRecord>(props: {
  kind: RecordKind<T>
  actions: RecordActions<T>
  part: { readonly current: HTMLDivElement | null }
}) {
  const { kind, actions, part } = props
  const focusNext = useStableFocus(part)
  const undo = (removal: Removal) => {
    focusNext(removal.key, 'edit')
    void actions.undo(removal)
  }
  return (
    <RemovalList
      title={kind.title}
      removals={actions.removals}
      onUndo={undo}
      onDismiss={actions.dismiss}
    />
  )
}

function EditDialog<T extends JsonRecord>(
  props: RecordTableProps<T> & {
    row: T | undefined
    rows: readonly T[]
    actions: RecordActions<T>
    onAdded: () => void
    onClose: () => void
  },
) {
  const { kind, row, rows, initial } = props
  const key = row && kind.toKey(row)
  return (
    <RecordDialog
      {...props}
      record={row}
      current={rows.find((other) => kind.toKey(other) === key)}
      initial={row ? {} : { [kind.idField]: String(kind.findFreeId(rows)), ...initial }}
    />
  )
}

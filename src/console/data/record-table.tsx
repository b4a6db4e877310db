import type { ComponentChildren } from 'preact'
import type { ControlClient } from '../client/control-client.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { type Column, PagedTable } from './paged-table.js'

/** A kind of record, with the control operations that read and change it. */
export interface RecordKind<T> {
  readonly list: (client: ControlClient) => Promise<readonly T[]>
  readonly change: (client: ControlClient, row: T, fields: Partial<T>) => Promise<unknown>
  readonly remove: (client: ControlClient, row: T) => Promise<unknown>
  readonly toKey: (row: T) => string | number
  /** Returns the name of a record in messages and labels. */
  readonly toName: (row: T) => string
  readonly toText: (row: T) => string
}

/** Changes fields of a record. */
export type ChangeRecord<T> = (row: T, fields: Partial<T>) => void

interface RecordTableProps<T> {
  readonly title: string
  /** Must be the same object on each render. */
  readonly kind: RecordKind<T>
  /** Returns the columns that precede the status and the Remove button. */
  readonly toColumns: (change: ChangeRecord<T>) => readonly Column<T>[]
  readonly statuses: readonly string[]
  readonly empty: string
  /** Returns what is shown below the table after the rows are loaded. */
  readonly toFooter?: (rows: readonly T[]) => ComponentChildren
}

/** A table of records that can be changed in place and removed. */
export function RecordTable<T extends { readonly status: string }>(props: RecordTableProps<T>) {
  const { title, kind, toColumns, statuses, empty, toFooter } = props
  const { act, client } = useSession()
  const rows = useLoaded(kind.list)
  const change: ChangeRecord<T> = (row, fields) =>
    void act(`Changed ${kind.toName(row)}.`, () => kind.change(client, row, fields))
  const remove = (row: T) =>
    void act(`Removed ${kind.toName(row)}.`, () => kind.remove(client, row))
  const status: Column<T> = {
    title: 'Status',
    toCell: (row) => (
      <StatusSelect
        name={kind.toName(row)}
        status={row.status}
        statuses={statuses}
        // T has a status, but TypeScript cannot infer that this object is a Partial<T>.
        onChange={(to) => change(row, { status: to } as Partial<T>)}
      />
    ),
  }
  const actions: Column<T> = {
    title: 'Actions',
    class: 'end',
    toCell: (row) => <RemoveButton name={kind.toName(row)} onClick={() => remove(row)} />,
  }
  return (
    <PagedTable
      title={title}
      rows={rows}
      columns={[...toColumns(change), status, actions]}
      toKey={kind.toKey}
      toText={kind.toText}
      empty={empty}
    >
      {rows.value && toFooter?.(rows.value)}
    </PagedTable>
  )
}

function StatusSelect(props: {
  name: string
  status: string
  statuses: readonly string[]
  onChange: (status: string) => void
}) {
  return (
    <select
      aria-label={`Status of ${props.name}`}
      value={props.status}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      {props.statuses.map((status) => (
        <option key={status}>{status}</option>
      ))}
    </select>
  )
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" aria-label={`Remove ${name}`} onClick={onClick}>
      Remove
    </button>
  )
}

import type { ComponentChildren } from 'preact'
import { LoadFailure } from '../parts/failure-details.js'
import { type Column, Table } from './table.js'
import type { RecordList } from './use-records.js'
import type { useTable } from './use-table.js'

/** A page of a table, or why there is none. */
export function LoadedTable<T extends object>(props: {
  title: string
  list: Pick<RecordList<T>, 'rows' | 'failure'>
  table: ReturnType<typeof useTable<T>>
  columns: readonly Column<T>[]
  toKey: (row: T) => string
  /** Shown instead of an empty table. */
  empty: ComponentChildren
}) {
  const { title, list, table, columns, toKey, empty } = props
  const { rows, failure } = list
  return (
    <>
      {failure && <LoadFailure what={`The ${title.toLowerCase()}`} failure={failure} />}
      {rows?.length === 0 && <p class="hint">{empty}</p>}
      {rows && rows.length > 0 && (
        <Table
          title={title}
          rows={table.page.items}
          columns={columns}
          toKey={toKey}
          sorting={table.query.sorting}
          onSort={table.onSort}
        />
      )}
    </>
  )
}

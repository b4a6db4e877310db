import type { ComponentChildren } from 'preact'
import type { Sorting, SortValue } from './arrange.js'

/** A column of a table. */
export interface Column<T> {
  readonly title: string
  /** Whether its cells are row headers. */
  readonly isRowHeader?: boolean
  readonly class?: string
  readonly toCell: (row: T) => ComponentChildren
  /** Returns the value by which the column sorts. Undefined if it does not. */
  readonly toSortValue?: (row: T) => SortValue
}

interface TableProps<T> {
  /** Accessible name. */
  readonly title: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly toKey: (row: T) => string
  readonly sorting: Sorting | undefined
  /** Called with the title of a column that the user wants to sort by. */
  readonly onSort: (column: string) => void
}

/** A table that scrolls sideways in its own box. */
export function Table<T>({ title, rows, columns, toKey, sorting, onSort }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <section class="scroll" aria-label={`Table of ${title.toLowerCase()}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHeader
                key={column.title}
                column={column}
                sorting={sorting?.column === column.title ? sorting : undefined}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody data-group="rows">
          {rows.map((row) => (
            <tr key={toKey(row)} data-row={toKey(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ColumnHeader<T>(props: {
  column: Column<T>
  sorting: Sorting | undefined
  onSort: (column: string) => void
}) {
  const { sorting, onSort } = props
  const { title, toSortValue, class: kind } = props.column
  if (!toSortValue) {
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    )
  }
  const order = sorting?.isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" class={kind} aria-sort={sorting ? order : 'none'}>
      <button type="button" class="sort" onClick={() => onSort(title)}>
        {title}
        <span aria-hidden="true">{sorting ? marks[order] : '↕'}</span>
      </button>
    </th>
  )
}

const marks = { ascending: '▲', descending: '▼' } as const

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const content = column.toCell(row)
  if (!column.isRowHeader) return <td class={column.class}>{content}</td>
  return (
    <th scope="row" class={column.class}>
      {content}
    </th>
  )
}

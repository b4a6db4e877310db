import { useState } from 'preact/hooks'
import { type Query, toggleSorting } from './arrange.js'
import { pageSize, toPage } from './page.js'
import type { Column } from './table.js'
import { useArranged } from './use-arranged.js'

interface TableOptions<T> {
  readonly rows: readonly T[] | undefined
  readonly columns: readonly Column<T>[]
  readonly toKey: (row: T) => string
  readonly toText: (row: T) => string
  /** Whether the user works in the table, so that its rows keep their places. */
  readonly isHeld: () => boolean
}

const none: readonly never[] = []

/** The search, the filter, the order and the page of a table. */
export function useTable<T extends object>(options: TableOptions<T>) {
  const { rows = none, columns, toKey, toText, isHeld } = options
  const [query, setQuery] = useState<Query>({ search: '', status: '', sorting: undefined })
  const [number, setNumber] = useState(0)
  const findSortValue = (title: string) =>
    columns.find((column) => column.title === title)?.toSortValue
  const reason = JSON.stringify([query, number])
  const arranged = useArranged(rows, { query, reason }, { toText, toKey, findSortValue }, isHeld)
  const page = toPage(arranged, number)
  const change = (next: Query) => {
    setQuery(next)
    setNumber(0)
  }
  return {
    query,
    page,
    onQuery: change,
    onPage: setNumber,
    onSort: (column: string) => change({ ...query, sorting: toggleSorting(query.sorting, column) }),
    /** Shows the page at the end of the list, where new rows are, without a filter. */
    showEnd: () => {
      setQuery({ search: '', status: '', sorting: undefined })
      setNumber(Math.floor(rows.length / pageSize))
    },
  }
}

import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { arrange, type Query, type Sorting, type SortValue, toggleSorting } from './arrange.js'
import { Pager, pageSize } from './pager.js'

/** A column of a table. */
export interface Column<T> {
  readonly title: string
  /** Whether its cells are row headers. */
  readonly isRowHeader?: boolean
  readonly class?: string | undefined
  readonly toCell: (row: T) => ComponentChildren
  /** Returns the value by which the column sorts. Default: it does not sort. */
  readonly toSortValue?: (row: T) => SortValue
}

/** A menu that selects rows. */
interface Filter<T> {
  /** Accessible name. */
  readonly label: string
  /** The option that selects all rows. */
  readonly all: string
  readonly options: readonly string[]
  readonly toOption: (row: T) => string
}

/** A table with a search, an optional filter, sorting and pages. Scrolls sideways in its own box. */
export function DataTable<T>(props: {
  title: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  toKey: (row: T) => string
  /** Returns the string in which a search is matched. */
  toText: (row: T) => string
  filter?: Filter<T>
  /** Shown instead of an empty table. */
  empty: ComponentChildren
}) {
  const { title, rows, columns, toKey, toText, filter, empty } = props
  const [query, setQuery] = useState<Query>({ search: '', filter: '', sorting: undefined })
  const [wanted, setStart] = useState(0)
  // The functions only read the rows.
  const arranged = useMemo(() => {
    const column = columns.find((known) => known.title === query.sorting?.column)
    return arrange(rows, query, { ...filter, toText, toSortValue: column?.toSortValue })
  }, [rows, query])
  const start = wanted < arranged.length ? wanted : 0
  const change = (changed: Partial<Query>) => {
    setQuery({ ...query, ...changed })
    setStart(0)
  }
  if (rows.length === 0) return <p class="hint">{empty}</p>
  return (
    <>
      <div class="tools">
        <QueryFields title={title} query={query} filter={filter} onChange={change} />
        <Pager title={title} start={start} count={arranged.length} onStart={setStart} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <section class="scroll" aria-label={`Table of ${title.toLowerCase()}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHeader
                  key={column.title}
                  column={column}
                  sorting={query.sorting}
                  onSort={(sorting) => change({ sorting })}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {arranged.slice(start, start + pageSize).map((row) => (
              <tr key={toKey(row)} data-row={toKey(row)}>
                {columns.map((column) => (
                  <Cell key={column.title} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function QueryFields(props: {
  title: string
  query: Query
  filter: Omit<Filter<never>, 'toOption'> | undefined
  onChange: (changed: Partial<Query>) => void
}) {
  const { title, query, filter, onChange } = props
  return (
    <>
      <input
        type="search"
        placeholder="Search"
        aria-label={`Search ${title.toLowerCase()}`}
        value={query.search}
        onInput={(event) => onChange({ search: event.currentTarget.value })}
      />
      {filter && (
        <select
          aria-label={filter.label}
          value={query.filter}
          onChange={(event) => onChange({ filter: event.currentTarget.value })}
        >
          <option value="">{filter.all}</option>
          {filter.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </>
  )
}

function ColumnHeader<T>(props: {
  column: Column<T>
  sorting: Sorting | undefined
  onSort: (sorting: Sorting | undefined) => void
}) {
  const { column, sorting, onSort } = props
  const { title, toSortValue, class: kind } = column
  const order = sorting?.isDescending ? 'descending' : 'ascending'
  const shown = sorting?.column === title ? order : 'none'
  return (
    <th scope="col" class={kind} aria-sort={toSortValue && shown}>
      {toSortValue ? (
        <button type="button" class="sort" onClick={() => onSort(toggleSorting(sorting, title))}>
          {title}
          <span aria-hidden="true">{marks[shown]}</span>
        </button>
      ) : (
        title
      )}
    </th>
  )
}

const marks = { none: '↕', ascending: '▲', descending: '▼' } as const

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const { isRowHeader, class: kind, toCell } = column
  const Tag = isRowHeader ? 'th' : 'td'
  return (
    <Tag scope={isRowHeader ? 'row' : undefined} class={kind}>
      {toCell(row)}
    </Tag>
  )
}

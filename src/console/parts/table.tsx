import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import {
  arrange,
  type Page,
  type Query,
  type Sorting,
  type SortValue,
  toggleSorting,
  toPage,
} from './arrange.js'

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
  const [number, setNumber] = useState(0)
  // The functions only read the rows.
  const arranged = useMemo(() => {
    const column = columns.find((known) => known.title === query.sorting?.column)
    return arrange(rows, query, { ...filter, toText, toSortValue: column?.toSortValue })
  }, [rows, query])
  const page = toPage(arranged, number)
  const change = (changed: Partial<Query>) => {
    setQuery({ ...query, ...changed })
    setNumber(0)
  }
  if (rows.length === 0) return <p class="hint">{empty}</p>
  return (
    <>
      <div class="tools">
        <QueryFields title={title} query={query} filter={filter} onChange={change} />
        <Pager title={title} page={page} onPage={setNumber} />
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
            {page.items.map((row) => (
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

function Pager(props: { title: string; page: Page<unknown>; onPage: (number: number) => void }) {
  const { title, page, onPage } = props
  const { number, last } = page
  // Not disabled on the last page, so that they keep the focus.
  return (
    <div class="pager">
      <button
        type="button"
        aria-label={`${title}: previous page`}
        aria-disabled={number === 0}
        onClick={() => onPage(Math.max(0, number - 1))}
      >
        ‹
      </button>
      <span class="hint" role="status">
        {page.title}
      </span>
      <button
        type="button"
        aria-label={`${title}: next page`}
        aria-disabled={number === last}
        onClick={() => onPage(Math.min(last, number + 1))}
      >
        ›
      </button>
    </div>
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

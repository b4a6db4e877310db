import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { findLastStart, Pager, pageSize } from './pager.js'

export type SortValue = number | bigint | boolean | string

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

interface TableProps<T> {
  readonly title: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly toKey: (row: T) => string
  /** Returns the string in which a search is matched. */
  readonly toText: (row: T) => string
  /** A menu that selects rows. */
  readonly filter?: {
    /** Accessible name. */
    readonly label: string
    /** The option that selects all rows. */
    readonly all: string
    readonly options: readonly string[]
    readonly toOption: (row: T) => string
  }
  /** Shown instead of an empty table. */
  readonly empty: ComponentChildren
}

/** What a table shows: the rows that match, in an order. */
interface Query {
  readonly search: string
  /** The option of the filter; empty for all rows. */
  readonly filter: string
  /** The title of a column. Undefined for the order of the list. */
  readonly sorting: { readonly column: string; readonly isDescending: boolean } | undefined
}

/** A table with a search, an optional filter, sorting and pages. Scrolls sideways in its own box. */
export function DataTable<T>(props: TableProps<T>) {
  const { title, rows, columns, toKey, empty } = props
  const [query, setQuery] = useState<Query>({ search: '', filter: '', sorting: undefined })
  const [wanted, setStart] = useState(0)
  // The functions only read the rows.
  const arranged = useMemo(() => arrange(props, query), [rows, query])
  const start = Math.min(wanted, findLastStart(arranged.length))
  const change = (changed: Partial<Query>) => {
    setQuery({ ...query, ...changed })
    setStart(0)
  }
  if (rows.length === 0) return <p class="hint">{empty}</p>
  return (
    <>
      <div class="actions">
        <QueryFields {...props} query={query} onChange={change} />
        <Pager title={title} start={start} count={arranged.length} onStart={setStart} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <section class="scroll" aria-label={`Table of ${title.toLowerCase()}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHeader key={column.title} column={column} query={query} onChange={change} />
              ))}
            </tr>
          </thead>
          <tbody>
            {arranged.slice(start, start + pageSize).map((row) => (
              <tr key={toKey(row)} data-row={toKey(row)}>
                {columns.map(({ title, isRowHeader, class: kind, toCell }) => {
                  const [Tag, scope] = isRowHeader ? (['th', 'row'] as const) : (['td'] as const)
                  return (
                    <Tag key={title} scope={scope} class={kind}>
                      {toCell(row)}
                    </Tag>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface QueryProps {
  readonly query: Query
  readonly onChange: (changed: Partial<Query>) => void
}

function QueryFields<T>(props: Pick<TableProps<T>, 'title' | 'filter'> & QueryProps) {
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

function ColumnHeader<T>({ column, query, onChange }: QueryProps & { column: Column<T> }) {
  const { title, toSortValue, class: kind } = column
  const { sorting } = query
  const order = sorting?.isDescending ? 'descending' : 'ascending'
  const shown = sorting?.column === title ? order : 'none'
  if (!toSortValue) {
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    )
  }
  const sort = () => onChange({ sorting: { column: title, isDescending: shown === 'ascending' } })
  return (
    <th scope="col" class={kind} aria-sort={shown}>
      <button type="button" class="sort" onClick={sort}>
        {title} <span aria-hidden="true">{marks[shown]}</span>
      </button>
    </th>
  )
}

const marks = { none: '↕', ascending: '▲', descending: '▼' } as const

/** Returns the rows that match a query, in its order. */
export function arrange<T>(
  { rows, columns, filter, toText }: Pick<TableProps<T>, 'rows' | 'columns' | 'filter' | 'toText'>,
  { search, filter: option, sorting }: Query,
): readonly T[] {
  const word = search.trim().toLowerCase()
  const found = rows.filter(
    (row) =>
      (option === '' || filter?.toOption(row) === option) &&
      (word === '' || toText(row).toLowerCase().includes(word)),
  )
  const { toSortValue } = columns.find(({ title }) => title === sorting?.column) ?? {}
  if (!toSortValue) return found
  found.sort((a, b) => compare(toSortValue(a), toSortValue(b)))
  return sorting?.isDescending ? found.reverse() : found
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two values: strings as words, by their first 100 characters, and others by value. */
function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return collator.compare(a.slice(0, 100), b.slice(0, 100))
  }
  return a < b ? -1 : Number(a > b)
}

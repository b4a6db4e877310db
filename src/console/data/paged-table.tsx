import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import type { Loaded } from '../session/use-loaded.js'

/** A column of a table. */
export interface Column<T> {
  /** Empty for a column of buttons. */
  readonly title: string
  /** Whether its cells are row headers. */
  readonly isRowHeader?: boolean
  readonly class?: string
  readonly toCell: (row: T) => ComponentChildren
}

interface PagedTableProps<T> {
  readonly title: string
  readonly rows: Loaded<readonly T[]>
  readonly columns: readonly Column<T>[]
  readonly toKey: (row: T) => string | number
  /** Returns the string in which a search is matched. */
  readonly toText: (row: T) => string
  /** Shown instead of an empty table. */
  readonly empty: string
  /** Shown below the table. */
  readonly children?: ComponentChildren
}

/** A searchable table that renders one page at a time. */
export function PagedTable<T>(props: PagedTableProps<T>) {
  const { title, toText } = props
  const { value: rows = [], failure } = props.rows
  const [number, setNumber] = useState(0)
  const [search, setSearch] = useState('')
  const word = search.trim().toLowerCase()
  const found = word === '' ? rows : rows.filter((row) => toText(row).toLowerCase().includes(word))
  const page = toPage(found, number)
  return (
    <Card
      title={title}
      aside={
        <Pager title={title} search={search} onSearch={setSearch} page={page} onPage={setNumber} />
      }
    >
      {failure && <LoadFailure what={`The ${title.toLowerCase()}`} failure={failure} />}
      {props.rows.value?.length === 0 && <p class="hint">{props.empty}</p>}
      {rows.length > 0 && <Table {...props} rows={page.items} />}
      {props.children}
    </Card>
  )
}

function Table<T>(
  props: Pick<PagedTableProps<T>, 'columns' | 'toKey'> & { readonly rows: readonly T[] },
) {
  const { rows, columns, toKey } = props
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={toKey(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const content = column.toCell(row)
  if (!column.isRowHeader) return <td class={column.class}>{content}</td>
  return (
    <th scope="row" class={column.class}>
      {content}
    </th>
  )
}

interface PagerProps {
  readonly title: string
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly page: Page<unknown>
  readonly onPage: (number: number) => void
}

function Pager({ title, search, onSearch, page, onPage }: PagerProps) {
  return (
    <div class="field-row pager">
      <input
        type="search"
        placeholder="Search"
        aria-label={`Search ${title.toLowerCase()}`}
        value={search}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
      <button
        type="button"
        aria-label={`${title}: previous page`}
        disabled={page.number === 0}
        onClick={() => onPage(page.number - 1)}
      >
        ‹
      </button>
      <span class="hint">{page.title}</span>
      <button
        type="button"
        aria-label={`${title}: next page`}
        disabled={page.number === page.last}
        onClick={() => onPage(page.number + 1)}
      >
        ›
      </button>
    </div>
  )
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Index of the page, from 0. */
  readonly number: number
  /** Index of the last page. */
  readonly last: number
  /** Such as `1–20 of 5,000`. */
  readonly title: string
}

export const pageSize = 20

/** Returns the page with an index; the last page if there is no such page. */
export function toPage<T>(all: readonly T[], wanted: number): Page<T> {
  const last = Math.max(0, Math.ceil(all.length / pageSize) - 1)
  const number = Math.min(wanted, last)
  const from = number * pageSize
  const items = all.slice(from, from + pageSize)
  const range = items.length === 0 ? '0' : `${from + 1}–${from + items.length}`
  return { items, number, last, title: `${range} of ${all.length.toLocaleString('en')}` }
}

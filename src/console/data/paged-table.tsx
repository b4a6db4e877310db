import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { toPage } from './paging.js'

interface PagedTableProps<T> {
  readonly title: string
  /** Undefined until they are loaded. */
  readonly rows: readonly T[] | undefined
  readonly columns: readonly string[]
  /** What stands in place of the table when there is nothing. */
  readonly empty: string
  /** What a search looks at. */
  readonly toText: (row: T) => string
  readonly toRow: (row: T) => ComponentChildren
  readonly children?: ComponentChildren
}

/** A table of records that stays quick with thousands of them: searched, and a page at a time. */
export function PagedTable<T>(props: PagedTableProps<T>) {
  const { title, rows = [], columns, empty, toText, toRow } = props
  const [wanted, setWanted] = useState(0)
  const [search, setSearch] = useState('')
  const word = search.trim().toLowerCase()
  const found = word === '' ? rows : rows.filter((row) => toText(row).toLowerCase().includes(word))
  const page = toPage(found, wanted)
  return (
    <Card
      title={title}
      aside={
        <div class="field-row pager">
          <input
            type="search"
            placeholder="Search"
            aria-label={`Search ${title.toLowerCase()}`}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button
            type="button"
            aria-label={`${title}: previous page`}
            disabled={page.number === 0}
            onClick={() => setWanted(page.number - 1)}
          >
            ‹
          </button>
          <span class="hint">{page.title}</span>
          <button
            type="button"
            aria-label={`${title}: next page`}
            disabled={page.number === page.last}
            onClick={() => setWanted(page.number + 1)}
          >
            ›
          </button>
        </div>
      }
    >
      {props.rows && rows.length === 0 && <p class="hint">{empty}</p>}
      {rows.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{page.items.map(toRow)}</tbody>
          </table>
        </div>
      )}
      {props.children}
    </Card>
  )
}

import type { Query } from './arrange.js'
import type { Page } from './page.js'

interface TableToolsProps {
  readonly title: string
  readonly query: Query
  readonly onQuery: (query: Query) => void
  /** The statuses by which the rows can be filtered; empty if they cannot. */
  readonly statuses: readonly string[]
  readonly page: Page<unknown>
  readonly onPage: (number: number) => void
}

/** The search, the filter and the pages of a table. */
export function TableTools({ title, query, onQuery, statuses, page, onPage }: TableToolsProps) {
  const name = title.toLowerCase()
  return (
    <div class="tools">
      <input
        type="search"
        placeholder="Search"
        aria-label={`Search ${name}`}
        value={query.search}
        onInput={(event) => onQuery({ ...query, search: event.currentTarget.value })}
      />
      {statuses.length > 0 && (
        <select
          aria-label={`Status of the shown ${name}`}
          value={query.status}
          onChange={(event) => onQuery({ ...query, status: event.currentTarget.value })}
        >
          <option value="">All statuses</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      )}
      <div class="pager">
        <PageButton
          label={`${title}: previous page`}
          text="‹"
          isLast={page.number === 0}
          onClick={() => onPage(page.number - 1)}
        />
        <span class="hint" role="status">
          {page.title}
        </span>
        <PageButton
          label={`${title}: next page`}
          text="›"
          isLast={page.number === page.last}
          onClick={() => onPage(page.number + 1)}
        />
      </div>
    </div>
  )
}

/** A button that is not disabled on the last page, so that it keeps the focus. */
function PageButton(props: { label: string; text: string; isLast: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      aria-disabled={props.isLast}
      onClick={() => !props.isLast && props.onClick()}
    >
      {props.text}
    </button>
  )
}

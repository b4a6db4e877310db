/** What a table shows: the rows that match, in an order. */
export interface Query {
  readonly search: string
  /** The option of the filter; empty for all rows. */
  readonly filter: string
  /** Undefined for the order of the list. */
  readonly sorting: Sorting | undefined
}

export interface Sorting {
  /** Title of a column. */
  readonly column: string
  readonly isDescending: boolean
}

export type SortValue = number | bigint | boolean | string

/** How rows are matched and sorted. */
interface Access<T> {
  /** Returns the string in which a search is matched. */
  readonly toText: (row: T) => string
  /** Returns the option of the filter that a row matches. */
  readonly toOption?: ((row: T) => string) | undefined
  /** Returns the value by which the query sorts. Undefined for a column that does not sort. */
  readonly toSortValue?: ((row: T) => SortValue) | undefined
}

/** Returns the rows that match a query, in its order. */
export function arrange<T>(
  rows: readonly T[],
  { search, filter, sorting }: Query,
  { toText, toOption, toSortValue }: Access<T>,
): readonly T[] {
  const word = search.trim().toLowerCase()
  const found = rows.filter(
    (row) =>
      (filter === '' || toOption?.(row) === filter) &&
      (word === '' || toText(row).toLowerCase().includes(word)),
  )
  if (!sorting || !toSortValue) return found
  found.sort((a, b) => compare(toSortValue(a), toSortValue(b)))
  return sorting.isDescending ? found.reverse() : found
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two values: strings as words, by their first 100 characters, and others by value. */
function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return collator.compare(a.slice(0, 100), b.slice(0, 100))
  }
  return a < b ? -1 : Number(a > b)
}

/** Returns the next order after the title of a column was pressed. */
export function toggleSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false }
  return sorting.isDescending ? undefined : { column, isDescending: true }
}

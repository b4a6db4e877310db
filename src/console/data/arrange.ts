/** What a table shows: the rows that match, in an order. */
export interface Query {
  readonly search: string
  /** Status of the shown rows; empty for all. */
  readonly status: string
  readonly sorting: Sorting | undefined
}

/** The order of the rows. Undefined is the order of the list. */
export interface Sorting {
  /** Title of a column. */
  readonly column: string
  readonly isDescending: boolean
}

/** A value by which rows are sorted. */
export type SortValue = number | string | boolean

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two values: integers of any size by their value, other strings as words. */
export function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [String(a), String(b)]
  if (integer.test(first) && integer.test(second)) {
    const difference = BigInt(first) - BigInt(second)
    return difference < 0n ? -1 : Number(difference > 0n)
  }
  return collator.compare(first.slice(0, maximumCompared), second.slice(0, maximumCompared))
}

const integer = /^-?\d{1,19}$/

/** Number of characters that are compared, so that long ones do not take long. */
const maximumCompared = 100

/** Returns the next order after the title of a column was pressed. */
export function toggleSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false }
  return sorting.isDescending ? undefined : { column, isDescending: true }
}

/** How rows are matched and sorted. */
interface Access<T> {
  /** Returns the string in which a search is matched. */
  readonly toText: (row: T) => string
  /** Returns the value by which a column sorts. Undefined if it does not. */
  readonly findSortValue: (column: string) => ((row: T) => SortValue) | undefined
}

/** Returns the rows that match a query, in its order. */
export function arrange<T extends object>(
  rows: readonly T[],
  { search, status, sorting }: Query,
  { toText, findSortValue }: Access<T>,
): readonly T[] {
  const word = search.trim().toLowerCase()
  const isFound = (row: T) =>
    (status === '' || Reflect.get(row, 'status') === status) &&
    (word === '' || toText(row).toLowerCase().includes(word))
  const found = status === '' && word === '' ? rows : rows.filter(isFound)
  const toValue = sorting && findSortValue(sorting.column)
  if (!toValue) return found
  const sorted = found.toSorted((a, b) => compare(toValue(a), toValue(b)))
  return sorting.isDescending ? sorted.reverse() : sorted
}

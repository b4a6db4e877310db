import type { JournalRow } from '../client/shapes.js'

/** Which rows are shown; an empty text is no condition. */
export interface RowFilter {
  /** Id of an operation, or `none` for calls of no operation. */
  readonly operation: string
  /** A status such as `429`, or a class such as `4xx`. */
  readonly status: string
}

export const everyRow: RowFilter = { operation: '', status: '' }

/** The rows that a filter means, in their order. */
export function filterRows(rows: readonly JournalRow[], filter: RowFilter): readonly JournalRow[] {
  return rows.filter((row) => isOf(row, filter.operation) && hasStatus(row, filter.status))
}

function isOf({ operation }: JournalRow, wanted: string): boolean {
  return wanted === '' || (operation ?? 'none') === wanted
}

function hasStatus({ response }: JournalRow, wanted: string): boolean {
  const status = String(response.status)
  return wanted.endsWith('xx')
    ? status.startsWith(wanted.slice(0, 1)) && status.length === 3
    : status.startsWith(wanted)
}

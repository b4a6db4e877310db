import type { JournalEntry } from '../client/control-types.js'

/** Number of journal entries that the page retains. */
export const maximumEntries = 200

/** Selects journal entries. An empty string matches every entry. */
export interface EntryFilter {
  /** Id of an operation, or `none` for requests that matched no operation. */
  readonly operation: string
  /** A status such as `429`, or a class such as `4xx`. */
  readonly status: string
}

export const emptyFilter: EntryFilter = { operation: '', status: '' }

/** Returns the entries that match the filter, in the same order. */
export function filterEntries(
  entries: readonly JournalEntry[],
  filter: EntryFilter,
): readonly JournalEntry[] {
  return entries.filter(
    (entry) => hasOperation(entry, filter.operation) && hasStatus(entry, filter.status),
  )
}

function hasOperation({ operation }: JournalEntry, wanted: string): boolean {
  return wanted === '' || (operation ?? 'none') === wanted
}

function hasStatus({ response }: JournalEntry, wanted: string): boolean {
  const status = String(response.status)
  return wanted.endsWith('xx')
    ? status.startsWith(wanted.slice(0, 1)) && status.length === 3
    : status.startsWith(wanted)
}

/** Merges two lists without duplicates. Returns at most `maximumEntries`, newest first. */
export function mergeEntries(
  shown: readonly JournalEntry[],
  added: readonly JournalEntry[],
): readonly JournalEntry[] {
  const byId = new Map([...shown, ...added].map((entry) => [entry.id, entry]))
  return Array.from(byId.values())
    .sort((a, b) => b.id - a.id)
    .slice(0, maximumEntries)
}

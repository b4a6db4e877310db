import { useEffect, useState } from 'preact/hooks'
import { hasText } from '../../control/request-text.js'
import type { JournalEntry } from '../control-types.js'

/** Selects journal entries. An empty string matches every entry. */
export interface EntryFilter {
  /** Id of an operation, or `none` for requests that matched no operation. */
  readonly operation: string
  /** A status such as `429`, its beginning, or a class such as `4xx`. */
  readonly status: string
  /** Part of the request, of the response or of the explanation, regardless of case. */
  readonly text: string
  /** First second, in UTC on the clock of the world: `2026-01-31T09:00:00`. */
  readonly from: string
  /** Last second, in the same form. */
  readonly to: string
}

export const emptyFilter: EntryFilter = { operation: '', status: '', text: '', from: '', to: '' }

/** Whether a filter matches every entry. */
export function isEmptyFilter(filter: EntryFilter): boolean {
  return Object.values(filter).every((field) => field === '')
}

/** Whether an entry matches a filter. */
export function matchesFilter(entry: JournalEntry, filter: EntryFilter): boolean {
  const { operation, status, text, from, to } = filter
  // Times of the same form are in the order of their strings.
  const second = entry.at.slice(0, 19)
  return (
    (operation === '' || (entry.operation ?? 'none') === operation) &&
    hasStatus(entry, status.trim()) &&
    (from === '' || second >= withSeconds(from)) &&
    (to === '' || second <= withSeconds(to)) &&
    (text === '' || hasText(entry, text.toLowerCase()))
  )
}

function hasStatus({ response }: JournalEntry, wanted: string): boolean {
  const status = String(response.status)
  return wanted.endsWith('xx')
    ? status.startsWith(wanted.slice(0, 1)) && status.length === 3
    : status.startsWith(wanted)
}

/** Formats a time as a field of a filter. */
export function toSecond(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}

/** An input of type `datetime-local` may omit the seconds. */
function withSeconds(value: string): string {
  return `${value}:00`.slice(0, 19)
}

/** Returns the filter in the fragment of a URL: `#journal?status=429`. Undefined if it has none. */
function readFilter(fragment: string): EntryFilter | undefined {
  const [view, query] = fragment.split('?')
  if (view !== '#journal' || query === undefined) return undefined
  return { ...emptyFilter, ...Object.fromEntries(new URLSearchParams(query)) }
}

/** Returns the fragment of the journal with a filter. */
export function toFragment(filter: Partial<EntryFilter>): string {
  const set = Object.entries(filter).filter(([, value]) => value !== '')
  return set.length === 0 ? '#journal' : `#journal?${new URLSearchParams(set)}`
}

/** Keeps the filter in the URL of the journal view, so that it outlives a reload and can be shared. */
export function useFilterInUrl(): readonly [EntryFilter, (filter: EntryFilter) => void] {
  const [filter, setFilter] = useState(() => readFilter(location.hash) ?? emptyFilter)
  useEffect(() => {
    const onChange = () => {
      const found = readFilter(location.hash)
      if (found) setFilter(found)
      // The link to the view has no filter.
      else if (location.hash === '#journal') history.replaceState(null, '', toFragment(filter))
    }
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [filter])
  const change = (next: EntryFilter) => {
    // The journal is also beside the other views.
    if (location.hash.startsWith('#journal')) history.replaceState(null, '', toFragment(next))
    setFilter(next)
  }
  return [filter, change]
}

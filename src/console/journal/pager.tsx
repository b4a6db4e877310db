import { useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { findIndex } from './entries.js'
import { GroupedEntries } from './grouped-entries.js'
import { pageSize } from './journal-panel.js'
import type { EntryParts } from './request-detail.js'

/**
 * Returns the index of the first entry of a page.
 *
 * @param firstId Id of the first entry; undefined for the newest one. The last page if all entries
 * from there on have been removed.
 */
export function findPageStart(entries: readonly JournalEntry[], firstId?: number): number {
  if (firstId === undefined) return 0
  const start = findIndex(entries, firstId)
  return start < entries.length ? start : Math.max(0, entries.length - pageSize)
}

/** One page of entries. The page with the newest ones changes as requests arrive, others do not. */
export function PagedEntries(props: { entries: readonly JournalEntry[]; parts: EntryParts }) {
  const { entries, parts } = props
  const [firstId, setFirstId] = useState<number>()
  const start = findPageStart(entries, firstId)
  const showFrom = (at: number) => setFirstId(at <= 0 ? undefined : entries[at]?.id)
  return (
    <>
      <GroupedEntries entries={entries.slice(start, start + pageSize)} parts={parts} />
      {entries.length > pageSize && (
        <Pager start={start} count={entries.length} onShow={showFrom} />
      )}
    </>
  )
}

/** Selects a page of entries. */
function Pager(props: {
  /** Index of the first entry that is shown. */
  start: number
  /** Number of entries. */
  count: number
  /** Shows the entries from an index. Not larger than 0 for the newest ones. */
  onShow: (start: number) => void
}) {
  const { start, count, onShow } = props
  const end = Math.min(start + pageSize, count)
  const button = (text: string, at: number, isDisabled: boolean) => (
    <button type="button" disabled={isDisabled} onClick={() => onShow(at)}>
      {text}
    </button>
  )
  return (
    <nav class="actions journal-pager" aria-label="Pages of the journal">
      {button('Newest', 0, start === 0)}
      {button('Newer', start - pageSize, start === 0)}
      <span class="hint">
        {(start + 1).toLocaleString('en')}–{end.toLocaleString('en')} of{' '}
        {count.toLocaleString('en')}
      </span>
      {button('Older', start + pageSize, end === count)}
      {button('Oldest', count - pageSize, end === count)}
    </nav>
  )
}

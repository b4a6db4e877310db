import { formatNumber } from './count.js'

/** Number of entries of a list that are shown at a time. */
export const pageSize = 25

/** Returns the index of the first entry of the last page. */
export function findLastStart(count: number): number {
  return Math.floor(Math.max(0, count - 1) / pageSize) * pageSize
}

/** Moves through the pages of a list. */
export function Pager(props: {
  /** Name of the list. */
  title: string
  /** Index of the first shown entry. */
  start: number
  /** Number of all entries. */
  count: number
  onStart: (start: number) => void
}) {
  const { title, start, count, onStart } = props
  const end = Math.min(start + pageSize, count)
  const button = (text: string, page: string, at: number, isEnabled: boolean) => (
    // Not disabled on the last page, so that it keeps the focus.
    <button
      type="button"
      aria-label={`${title}: ${page} page`}
      aria-disabled={!isEnabled}
      onClick={() => isEnabled && onStart(at)}
    >
      {text}
    </button>
  )
  return (
    <div class="pager">
      {button('«', 'first', 0, start > 0)}
      {button('‹', 'previous', Math.max(0, start - pageSize), start > 0)}
      <span class="hint" role="status">
        {count === 0 ? 0 : `${formatNumber(start + 1)}–${formatNumber(end)}`} of{' '}
        {formatNumber(count)}
      </span>
      {button('›', 'next', start + pageSize, end < count)}
      {button('»', 'last', findLastStart(count), end < count)}
    </div>
  )
}

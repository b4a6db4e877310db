import { formatCount } from '../parts/count.js'
import { useSession } from '../session/session.js'
import { emptyFilter, isEmptyFilter } from './filter.js'
import type { JournalLog } from './journal-panel.js'

/** States how many requests match, are retained and were received. Removes the filter. */
export function Counts({ log }: { log: JournalLog }) {
  const { journal } = useSession()
  const { entries, received, retained, isLoaded, isComplete, isFull } = journal
  const shown = log.paused ?? entries
  const isFiltered = !isEmptyFilter(log.filter)
  const newer = log.paused ? (entries[0]?.id ?? 0) - (shown[0]?.id ?? 0) : 0
  if (!isLoaded) return null
  const parts = [
    isFiltered && `${format(log.matches.length)} of ${formatCount(shown.length, 'requests')} match`,
    `${isFiltered ? format(shown.length) : formatCount(shown.length, 'requests')} retained of ${format(received)} received`,
    !log.isDone && 'searching…',
    !isComplete && !journal.failure && `loading ${format(Math.max(shown.length, retained))}…`,
    newer > 0 && `${format(newer)} newer since the pause`,
  ]
  return (
    <div class="counts">
      <p class="hint">
        {parts.filter(Boolean).join('; ')}.
        {isFull && ' The page has no room for older ones; world requests --before lists them.'}
      </p>
      {isFiltered && (
        <button type="button" onClick={() => log.setFilter(emptyFilter)}>
          Clear filters
        </button>
      )}
    </div>
  )
}

function format(count: number): string {
  return count.toLocaleString('en')
}

import { useMemo, useState } from 'preact/hooks'
import { operationIds } from '../../../service/operations/operations.js'
import { CopyTest, type LoadCreateTest } from '../../copies/copy-test.js'
import { EntryList, pageSize } from '../../journal/entry-list.js'
import { emptyFilter, hasFields } from '../../journal/filter.js'
import { JournalCard, useLog } from '../../journal/journal-card.js'
import type { EntryParts } from '../../journal/request-detail.js'

/** The newest entries of the journal. Each one can be copied as a test. */
export function JournalView({ loadCreateTest }: { loadCreateTest: LoadCreateTest }) {
  const log = useLog(useState(emptyFilter), hasFields)
  const parts = useMemo<EntryParts>(
    () => ({
      renderActions: (entry) => (
        <div class="actions">
          <CopyTest entry={entry} load={loadCreateTest} />
        </div>
      ),
    }),
    [loadCreateTest],
  )
  return (
    <JournalCard log={log} operationIds={operationIds}>
      <EntryList entries={log.matches.slice(0, pageSize)} parts={parts} />
    </JournalCard>
  )
}

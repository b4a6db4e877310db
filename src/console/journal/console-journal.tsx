import { useMemo } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { ChosenEntry } from './chosen-entry.js'
import { Counts } from './counts.js'
import { ExportButton } from './export-button.js'
import { HiddenFilter, TextAndTimeFields } from './filter-fields.js'
import { JournalPanel, type JournalParts } from './journal-panel.js'
import { LiveNote } from './live-note.js'
import { PagedEntries } from './pager.js'
import { RequestActions } from './request-actions.js'
import type { EntryParts } from './request-detail.js'
import { useSearch } from './search.js'
import { useRecordedWorld } from './starts.js'
import { TimelineChart } from './timeline-chart.js'

/**
 * The journal of the console: beside the other views, and with all tools if it is the view.
 *
 * @param props.mainId Id of the main content of the page, if the journal is that.
 * @param props.entry Id of the entry that the user wants to see.
 */
export function ConsoleJournal(props: { mainId: string | undefined; entry: number | undefined }) {
  const { mainId, entry: chosen } = props
  const { service } = useDocuments()
  const readWorld = useRecordedWorld()
  const isView = mainId !== undefined
  const parts = useMemo<JournalParts>(() => {
    const entryParts: EntryParts = {
      headerMeanings,
      renderOperation: (id) => <a href={`#${id}`}>{id}</a>,
      renderActions: (entry) => <RequestActions entry={entry} readWorld={readWorld} />,
    }
    return {
      ...entryParts,
      useSearch,
      renderState: () => (
        <>
          <LiveNote isView={isView} />
          {chosen !== undefined && <ChosenEntry key={chosen} id={chosen} />}
        </>
      ),
      renderSummary: (log) => (
        <>
          <Counts log={log} />
          {isView && <TimelineChart log={log} />}
        </>
      ),
      renderEntries: ({ filter, matches }) => (
        // Another filter starts with its newest entries.
        <PagedEntries key={JSON.stringify(filter)} entries={matches} parts={entryParts} />
      ),
      renderFields: (log) =>
        isView ? <TextAndTimeFields log={log} /> : <HiddenFilter log={log} />,
      ...(isView && {
        renderTools: (log) => <ExportButton log={log} />,
      }),
    }
  }, [readWorld, isView, chosen])
  const operationIds = service.operations.map(({ id }) => id)
  return <JournalPanel operationIds={operationIds} parts={parts} mainId={mainId} />
}

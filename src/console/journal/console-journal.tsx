import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { formatCount } from '../parts/count.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { DismissButton } from '../parts/notices.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { EntryDetail } from './entry-detail.js'
import { emptyFilter, isEmptyFilter, useFilterInUrl } from './filter.js'
import { HiddenFilter, TextAndTimeFields } from './filter-fields.js'
import { toHar } from './har.js'
import { type JournalLog, JournalPanel, type JournalParts } from './journal-panel.js'
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
      useFilter: useFilterInUrl,
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

/** The journal entry that a link has opened, above the others, which a filter can hide. */
function ChosenEntry({ id }: { id: number }) {
  const part = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    part.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  const close = () => {
    part.current?.closest<HTMLElement>('.journal')?.focus({ preventScroll: true })
    location.hash = '#journal'
  }
  return (
    <section
      ref={part}
      // A second press of the link scrolls to it.
      id={`request-${id}`}
      class="chosen"
      tabIndex={-1}
      aria-label={`Request ${id}`}
    >
      <div class="card-head">
        <h3>Request {id}</h3>
        <DismissButton label={`Close request ${id}`} onClick={close} />
      </div>
      <EntryDetail id={id} />
    </section>
  )
}

/** States how many requests match, are retained and were received. Removes the filter. */
function Counts({ log }: { log: JournalLog }) {
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

/** Saves the entries that match as an HTTP Archive. */
function ExportButton({ log }: { log: JournalLog }) {
  const documents = useDocuments()
  const { overview, notify } = useSession()
  const [isSaving, setSaving] = useState(false)
  const { matches, isDone } = log
  const save = async () => {
    setSaving(true)
    const parts: string[] = []
    for await (const part of toHar(matches, documents, overview?.version ?? '')) parts.push(part)
    saveFile('petstore-sandbox.har', parts)
    notify(`Saved ${matches.length.toLocaleString('en')} requests as petstore-sandbox.har.`)
    setSaving(false)
  }
  return (
    <button
      type="button"
      disabled={matches.length === 0 || !isDone || isSaving}
      onClick={() => void save()}
    >
      Export HAR
    </button>
  )
}

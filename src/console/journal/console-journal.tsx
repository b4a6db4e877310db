import { useEffect, useState } from 'preact/hooks'
import { platform } from '../../engine/platform.js'
import { toHar } from '../copies/har.js'
import { useDocuments } from '../documents/documents.js'
import { formatCount, formatNumber } from '../parts/count.js'
import { findLastStart, Pager, pageSize } from '../parts/pager.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { ChosenEntry, consoleParts } from './entry-detail.js'
import { EntryList } from './entry-list.js'
import { emptyFilter, isEmptyFilter, useFilterInUrl } from './filter.js'
import { JournalCard, type JournalLog, useLog } from './journal-card.js'
import { Timeline } from './timeline.js'

/**
 * The journal of the console: beside the other views, and with all tools if it is the view.
 *
 * @param props.mainId Id of the main content of the page, if the journal is that.
 * @param props.entry Id of the entry that the user wants to see.
 */
export function ConsoleJournal(props: { mainId: string | undefined; entry: number | undefined }) {
  const { mainId, entry } = props
  const log = useLog(useFilterInUrl())
  const isView = mainId !== undefined
  return (
    <JournalCard
      log={log}
      mainId={mainId}
      tools={isView && <ExportButton log={log} />}
      state={
        <>
          <LiveNote isView={isView} />
          {entry !== undefined && <ChosenEntry key={entry} id={entry} />}
        </>
      }
    >
      <Counts log={log} />
      {isView && <Timeline log={log} />}
      {/* Another filter starts with its newest entries. */}
      <Pages key={JSON.stringify(log.filter)} log={log} />
    </JournalCard>
  )
}

/** Time after which an event stream that has not opened is reported, in milliseconds. */
const slowMs = 5_000

/**
 * States since when and why the journal is not live, and what happens next.
 *
 * @param props.isView Whether the journal is the view. The other views show why the key or the token
 * does not permit the request.
 */
function LiveNote({ isView }: { isView: boolean }) {
  const { client, journal } = useSession()
  const { kind, failure } = journal.stream
  const [since, setSince] = useState('')
  const [isSlow, setSlow] = useState(false)
  // The client is a dependency because another one opens another stream.
  useEffect(() => {
    setSince(new Date(platform.now()).toLocaleTimeString('en-GB'))
    setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [client, kind])
  let text = ''
  if (kind === 'lost') {
    const reason = failure?.needs && !isView ? '' : `: ${failure?.message}`
    const next = failure?.needs ? 'It needs another key or token.' : 'The page tries again.'
    text = `Not live since ${since}${reason}. ${next}`
  } else if (kind === 'opening' && isSlow) {
    text = `Not live yet: the event stream has not opened since ${since}. A reverse proxy that buffers responses delays it. The page waits for it.`
  }
  // A live region must be in the page before its text.
  return (
    <p role="status" class="hint live-note">
      {text}
    </p>
  )
}

/** States how many requests match, are retained and were received. Removes the filter. */
function Counts({ log }: { log: JournalLog }) {
  const { journal } = useSession()
  const { filter, entries, matches } = log
  if (!journal.isLoaded) return null
  const isFiltered = !isEmptyFilter(filter)
  const newer = (journal.entries[0]?.id ?? 0) - (entries[0]?.id ?? 0)
  const parts = [
    isFiltered &&
      `${formatNumber(matches.length)} of ${formatCount(entries.length, 'requests')} match`,
    `${isFiltered ? formatNumber(entries.length) : formatCount(entries.length, 'requests')} retained of ${formatNumber(journal.received)} received`,
    !journal.isComplete && !journal.failure && `loading ${formatNumber(journal.retained)}…`,
    log.isPaused && newer > 0 && `${formatNumber(newer)} newer since the pause`,
  ]
  const isCut = journal.isComplete && journal.retained > journal.entries.length
  return (
    <div class="card-head">
      <p class="hint">
        {parts.filter(Boolean).join('; ')}.
        {isCut && ' The page has no room for older ones; world requests --before lists them.'}
      </p>
      {isFiltered && (
        <button type="button" onClick={() => log.setFilter(emptyFilter)}>
          Clear filters
        </button>
      )}
    </div>
  )
}

/** One page of entries. The page with the newest ones changes as requests arrive, others do not. */
function Pages({ log: { matches } }: { log: JournalLog }) {
  /** Id of the first entry that is shown; undefined for the newest one. */
  const [firstId, setFirstId] = useState<number>()
  const found = firstId === undefined ? 0 : matches.findIndex(({ id }) => id <= firstId)
  const start = found < 0 ? findLastStart(matches.length) : found
  return (
    <>
      <EntryList entries={matches.slice(start, start + pageSize)} parts={consoleParts} />
      {matches.length > pageSize && (
        <Pager
          title="Journal"
          start={start}
          count={matches.length}
          onStart={(at) => setFirstId(at === 0 ? undefined : matches[at]?.id)}
        />
      )}
    </>
  )
}

/** Saves the entries that match as an HTTP Archive. */
function ExportButton({ log: { matches } }: { log: JournalLog }) {
  const documents = useDocuments()
  const { overview, notify } = useSession()
  const save = () => {
    saveFile('petstore-sandbox.har', [toHar(matches, documents, overview?.version ?? '')])
    notify(`Saved ${formatNumber(matches.length)} requests as petstore-sandbox.har.`)
  }
  return (
    <button type="button" disabled={matches.length === 0} onClick={save}>
      Export HAR
    </button>
  )
}

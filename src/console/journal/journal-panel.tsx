import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { LoadFailure } from '../parts/failure-details.js'
import type { Failure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import {
  type EntryFilter,
  emptyFilter,
  hasKnownStatus,
  isEmptyFilter,
  toCondition,
} from './filter.js'
import { JournalItem } from './journal-item.js'
import type { EntryParts } from './request-detail.js'

/** The entries that the panel shows, and how they are selected. */
export interface JournalLog {
  readonly filter: EntryFilter
  setFilter(filter: EntryFilter): void
  /** The entries that match the filter, newest first. */
  readonly matches: readonly JournalEntry[]
  /** Whether all entries have been searched. */
  readonly isDone: boolean
  /** The entries when the journal was paused; undefined if it is not. */
  readonly paused: readonly JournalEntry[] | undefined
}

/** What a page adds to the panel. Must be the same object on each render. */
export interface JournalParts extends EntryParts {
  /** Fields of the filter, beside those for the operation and the status. */
  renderFields?(log: JournalLog): ComponentChildren
  /** Actions on all entries that match. */
  renderTools?(log: JournalLog): ComponentChildren
  /** Shown above the filter. */
  renderState?(log: JournalLog): ComponentChildren
  /** Shown between the filter and the entries. */
  renderSummary?(log: JournalLog): ComponentChildren
  /** Default: the newest entries that match. */
  renderEntries?(log: JournalLog): ComponentChildren
  /** Returns the filter, and a function that changes it. Default: the filter is kept by the panel. */
  readonly useFilter?: () => readonly [EntryFilter, (filter: EntryFilter) => void]
  /** Finds the entries that match a filter. Default: by operation and status. */
  readonly useSearch?: (entries: readonly JournalEntry[], filter: EntryFilter) => SearchResult
}

/** The entries that match a filter. */
export interface SearchResult {
  /** Newest first. */
  readonly matches: readonly JournalEntry[]
  /** Whether all entries have been examined. */
  readonly isDone: boolean
}

function useFilter() {
  return useState(emptyFilter)
}

function useFiltered(entries: readonly JournalEntry[], filter: EntryFilter): SearchResult {
  const matches = useMemo(() => entries.filter(toCondition(filter)), [entries, filter])
  return { matches, isDone: true }
}

/** The journal of the world, updated as requests arrive. */
export function JournalPanel(props: {
  /** Ids of the operations that the filter offers. */
  operationIds: readonly string[]
  parts?: JournalParts
  /** Id of the main content of the page, if the journal is that. */
  mainId?: string | undefined
}) {
  const { parts = {}, mainId, operationIds } = props
  const { journal } = useSession()
  const [filter, setFilter] = (parts.useFilter ?? useFilter)()
  const [paused, setPaused] = useState<readonly JournalEntry[]>()
  const { matches, isDone } = (parts.useSearch ?? useFiltered)(paused ?? journal.entries, filter)
  const log: JournalLog = { filter, setFilter, matches, isDone, paused }
  const { failure } = journal
  return (
    <section class="journal card" aria-labelledby="journal-title" {...toMain(mainId)}>
      <JournalHead log={log} onPause={setPaused} tools={parts.renderTools?.(log)} />
      {parts.renderState?.(log)}
      {journal.note !== undefined && <p class="hint">{journal.note}</p>}
      <div class="filters">
        <FilterFields operationIds={operationIds} log={log} />
        {parts.renderFields?.(log)}
      </div>
      {parts.renderSummary?.(log)}
      {journal.failure && !journal.isLoaded && <JournalFailure failure={journal.failure} />}
      {!failure && matches.length === 0 && <Empty log={log} />}
      {parts.renderEntries?.(log) ?? <EntryPage entries={matches} parts={parts} />}
    </section>
  )
}

function toMain(id: string | undefined) {
  return id === undefined ? {} : ({ id, role: 'main', tabIndex: -1 } as const)
}

function JournalHead(props: {
  log: JournalLog
  onPause: (entries: readonly JournalEntry[] | undefined) => void
  tools: ComponentChildren
}) {
  const { log, onPause } = props
  const { journal, act, client } = useSession()
  const isPaused = log.paused !== undefined
  const clear = () =>
    act('The journal is empty.', async () => {
      await client.send('clearRequests')
      onPause(undefined)
      journal.reload()
    })
  return (
    <div class="card-head">
      <h2 id="journal-title">Journal</h2>
      <LiveMark isPaused={isPaused} />
      <span class="grow" />
      <div class="actions">
        {props.tools}
        <button
          type="button"
          aria-pressed={isPaused}
          onClick={() => onPause(isPaused ? undefined : journal.entries)}
        >
          Pause
        </button>
        <button type="button" onClick={() => void clear()}>
          Clear
        </button>
      </div>
    </div>
  )
}

const stateNames = { open: 'live', opening: 'connecting', lost: 'not live' } as const

function LiveMark({ isPaused }: { isPaused: boolean }) {
  const { kind } = useSession().journal.stream
  const name = isPaused ? 'paused' : stateNames[kind]
  return <span class={name === 'live' ? 'mark live' : 'mark warn'}>{name}</span>
}

function FilterFields(props: { operationIds: readonly string[]; log: JournalLog }) {
  const { filter, setFilter } = props.log
  return (
    <>
      <label class="field">
        Operation
        <select
          aria-label="Operation of the requests"
          value={filter.operation}
          onChange={(event) => setFilter({ ...filter, operation: event.currentTarget.value })}
        >
          <option value="">every operation</option>
          {props.operationIds.map((id) => (
            <option key={id}>{id}</option>
          ))}
          <option value="none">no operation</option>
        </select>
      </label>
      <label class="field">
        Status
        <input
          aria-label="Status, such as 429 or 4xx"
          placeholder="429, 4xx"
          value={filter.status}
          onInput={(event) => setFilter({ ...filter, status: event.currentTarget.value.trim() })}
        />
      </label>
    </>
  )
}

function Empty({ log }: { log: JournalLog }) {
  const { isComplete } = useSession().journal
  let text = 'No request matches the filter.'
  if (!hasKnownStatus(log.filter))
    text += ' A status is a number such as 429, or a class such as 4xx.'
  if (isEmptyFilter(log.filter)) text = 'This world has not received a request yet.'
  return <p class="hint">{isComplete && log.isDone ? text : 'Loading…'}</p>
}

function JournalFailure({ failure }: { failure: Failure }) {
  // The other views show why the key or the token does not permit the request.
  if (failure.needs) return <p class="hint">The journal is not available.</p>
  return <LoadFailure what="The journal" failure={failure} />
}

/** Number of entries that the panel shows at a time. */
export const pageSize = 50

/** The newest entries. */
function EntryPage({ entries, parts }: { entries: readonly JournalEntry[]; parts: EntryParts }) {
  return (
    <ol class="entries">
      {entries.slice(0, pageSize).map((entry) => (
        <JournalItem key={entry.id} entry={entry} parts={parts} />
      ))}
    </ol>
  )
}

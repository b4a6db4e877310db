import { useState } from 'preact/hooks'
import type { JournalEntry } from '../client/control-types.js'
import type { ControlFailure } from '../client/failure.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import { type EntryFilter, emptyFilter, filterEntries } from './entries.js'
import { JournalItem } from './journal-item.js'
import type { EntryParts } from './request-detail.js'

/** The journal of the world, updated as requests arrive. */
export function JournalPanel(props: {
  /** Ids of the operations that the filter offers. */
  operationIds: readonly string[]
  /** Must be the same object on each render. */
  parts?: EntryParts
  /** Id of the main content of the page, if the journal is that. */
  mainId?: string | undefined
}) {
  const { journal } = useSession()
  const [filter, setFilter] = useState(emptyFilter)
  const [paused, setPaused] = useState<readonly JournalEntry[]>()
  // The entries may be outdated while the journal cannot be read. A paused journal says so.
  const failure = paused ? undefined : journal.failure
  const entries = failure ? [] : filterEntries(paused ?? journal.entries, filter)
  return (
    <section class="journal card" aria-labelledby="journal-title" {...toMain(props.mainId)}>
      <JournalHead
        isPaused={paused !== undefined}
        onPause={(isPaused) => setPaused(isPaused ? journal.entries : undefined)}
      />
      {journal.note !== undefined && <p class="hint">{journal.note}</p>}
      <FilterFields operationIds={props.operationIds} filter={filter} onChange={setFilter} />
      {failure && <JournalFailure failure={failure} />}
      {!failure && entries.length === 0 && (
        <p class="hint">{journal.isLoaded ? describeEmpty(filter) : 'Loading…'}</p>
      )}
      <ol class="entries">
        {entries.map((entry) => (
          <JournalItem key={entry.id} entry={entry} parts={props.parts} />
        ))}
      </ol>
    </section>
  )
}

function toMain(id: string | undefined) {
  return id === undefined ? {} : ({ id, role: 'main', tabIndex: -1 } as const)
}

function describeEmpty(filter: EntryFilter): string {
  return filter === emptyFilter
    ? 'This world has not received a request yet.'
    : 'No request matches the filter.'
}

function JournalFailure({ failure }: { failure: ControlFailure }) {
  // The other views show why the key or the token does not permit the request.
  if (failure.needsOtherAccess) return <p class="hint">The journal is not available.</p>
  return <LoadFailure what="The journal" failure={failure} />
}

function JournalHead(props: { isPaused: boolean; onPause: (isPaused: boolean) => void }) {
  const { isPaused, onPause } = props
  const { journal, act, client } = useSession()
  const clear = () =>
    act('The journal is empty.', async () => {
      await client.send('clearRequests')
      onPause(false)
      journal.reload()
    })
  const state = isPaused ? 'paused' : journal.isLive ? 'live' : 'not connected'
  return (
    <div class="card-head">
      <h2 id="journal-title">Journal</h2>
      <span class={state === 'live' ? 'mark live' : 'mark warn'}>{state}</span>
      <span class="grow" />
      <button type="button" aria-pressed={isPaused} onClick={() => onPause(!isPaused)}>
        Pause
      </button>
      <button type="button" onClick={() => void clear()}>
        Clear
      </button>
    </div>
  )
}

function FilterFields(props: {
  operationIds: readonly string[]
  filter: EntryFilter
  onChange: (filter: EntryFilter) => void
}) {
  const { operationIds, filter, onChange } = props
  const change = (fields: Partial<EntryFilter>) => {
    const next = { ...filter, ...fields }
    onChange(next.operation === '' && next.status === '' ? emptyFilter : next)
  }
  return (
    <div class="pair">
      <select
        aria-label="Operation of the requests"
        value={filter.operation}
        onChange={(event) => change({ operation: event.currentTarget.value })}
      >
        <option value="">every operation</option>
        {operationIds.map((id) => (
          <option key={id}>{id}</option>
        ))}
        <option value="none">no operation</option>
      </select>
      <input
        aria-label="Status, such as 429 or 4xx"
        placeholder="status: 429, 4xx"
        value={filter.status}
        onInput={(event) => change({ status: event.currentTarget.value.trim() })}
      />
    </div>
  )
}

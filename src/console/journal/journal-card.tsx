import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { operationIds } from '../../service/operations/operations.js'
import type { JournalEntry } from '../control-types.js'
import { LoadFailure } from '../parts/load-failure.js'
import { useSession } from '../session/session.js'
import { type EntryFilter, isEmptyFilter, matchesFilter, toSecond } from './filter.js'

export type JournalLog = ReturnType<typeof useLog>

/** Returns the journal of the session with a filter, which can be paused. */
export function useLog([filter, setFilter]: readonly [EntryFilter, (filter: EntryFilter) => void]) {
  const { journal } = useSession()
  const [paused, setPaused] = useState<readonly JournalEntry[]>()
  const entries = paused ?? journal.entries
  const matches = useMemo(
    () => entries.filter((entry) => matchesFilter(entry, filter)),
    [entries, filter],
  )
  return {
    filter,
    setFilter,
    /** All entries, newest first. While the journal is paused: the entries at that time. */
    entries,
    /** The entries that match the filter, newest first. */
    matches,
    isPaused: paused !== undefined,
    setPaused: (isPaused: boolean) => setPaused(isPaused ? journal.entries : undefined),
  }
}

/** The journal of the world, updated as requests arrive. The children show the entries. */
export function JournalCard(props: {
  log: JournalLog
  /** Id of the main content of the page, if the journal is that. */
  mainId?: string | undefined
  /** Actions on all entries that match. */
  tools?: ComponentChildren
  /** Shown above the filter. */
  state?: ComponentChildren
  children: ComponentChildren
}) {
  const { log, mainId } = props
  const { journal } = useSession()
  return (
    <section
      class="journal card"
      aria-labelledby="journal-title"
      {...(mainId !== undefined && { id: mainId, role: 'main', tabIndex: -1 })}
    >
      <JournalHead log={log} tools={props.tools} />
      {props.state}
      {journal.note !== undefined && <p class="hint">{journal.note}</p>}
      <div class="filters">
        <FilterFields {...props} isFull={mainId !== undefined} />
      </div>
      <JournalState log={log} />
      {props.children}
    </section>
  )
}

const stateNames = { open: 'live', opening: 'connecting', lost: 'not live' } as const

function JournalHead({ log, tools }: { log: JournalLog; tools: ComponentChildren }) {
  const { journal, act, client } = useSession()
  const { isPaused, setPaused } = log
  const state = isPaused ? 'paused' : stateNames[journal.stream.kind]
  const clear = () =>
    act('The journal is empty.', async () => {
      await client.send('clearRequests')
      setPaused(false)
      journal.reload()
    })
  return (
    <div class="card-head">
      <h2 id="journal-title">Journal</h2>
      <span class={state === 'live' ? 'mark live' : 'mark warn'}>{state}</span>
      <span class="grow" />
      <div class="actions">
        {tools}
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          Pause
        </button>
        <button type="button" onClick={() => void clear()}>
          Clear
        </button>
      </div>
    </div>
  )
}

function FilterFields(props: {
  log: JournalLog
  /** Whether there are fields for a text and for the time. */
  isFull: boolean
}) {
  const { filter, setFilter } = props.log
  const { overview } = useSession()
  const fiveMinutesAgo = Date.parse(overview?.clock.now ?? '') - 300_000
  const change = (name: keyof EntryFilter) => (event: { currentTarget: { value: string } }) =>
    setFilter({ ...filter, [name]: event.currentTarget.value })
  const toTimeField = (name: 'from' | 'to', label: string) => (
    <label class="field">
      {label}
      <input type="datetime-local" step={1} value={filter[name]} onChange={change(name)} />
    </label>
  )
  return (
    <>
      <label class="field">
        Operation
        <select
          aria-label="Operation of the requests"
          value={filter.operation}
          onChange={change('operation')}
        >
          <option value="">every operation</option>
          {operationIds.map((id) => (
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
          onInput={change('status')}
        />
      </label>
      {props.isFull && (
        <>
          <label class="field wide">
            Text
            <input
              type="search"
              placeholder="path, header, body, code"
              value={filter.text}
              maxLength={200}
              onInput={change('text')}
            />
          </label>
          {toTimeField('from', 'From (UTC)')}
          {toTimeField('to', 'To (UTC)')}
          <button
            type="button"
            disabled={!overview}
            onClick={() => setFilter({ ...filter, from: toSecond(fiveMinutesAgo), to: '' })}
          >
            From 5 minutes ago
          </button>
        </>
      )}
    </>
  )
}

/** States why no entries are shown. */
function JournalState({ log: { filter, matches } }: { log: JournalLog }) {
  const { failure, isLoaded, isComplete } = useSession().journal
  // The other views show why the key or the token does not permit the request.
  if (failure?.needs) return isLoaded ? null : <p class="hint">The journal is not available.</p>
  if (failure) return isLoaded ? null : <LoadFailure what="The journal" failure={failure} />
  if (matches.length > 0) return null
  if (!isComplete) return <p class="hint">Loading…</p>
  return (
    <p class="hint">
      {isEmptyFilter(filter)
        ? 'This world has not received a request yet.'
        : 'No request matches the filter.'}
    </p>
  )
}

import { useState } from 'preact/hooks'
import { operationIds } from '../../operations/operations.js'
import type { JournalRow } from '../client/shapes.js'
import { useSession } from '../session/session.js'
import { everyRow, filterRows, type RowFilter } from './filter-rows.js'
import { JournalLine } from './journal-line.js'

/** The calls that reach the world, as they come. */
export function JournalPanel() {
  const { journal, act, client } = useSession()
  const [filter, setFilter] = useState(everyRow)
  const [paused, setPaused] = useState<readonly JournalRow[]>()
  const rows = filterRows(paused ?? journal.rows, filter)
  return (
    <aside class="journal card" aria-labelledby="journal-title">
      <div class="card-head">
        <h2 id="journal-title">Journal</h2>
        <span class={journal.isLive && !paused ? 'mark live' : 'mark warn'}>
          {paused ? 'paused' : journal.isLive ? 'live' : 'not connected'}
        </span>
        <span class="grow" />
        <button
          type="button"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : journal.rows)}
        >
          Pause
        </button>
        <button
          type="button"
          onClick={() =>
            void act('The journal is empty.', async () => {
              await client.clearRequests()
              setPaused(undefined)
              journal.reload()
            })
          }
        >
          Clear
        </button>
      </div>
      <FilterFields filter={filter} onChange={setFilter} />
      {rows.length === 0 && (
        <p class="hint">
          {filter === everyRow ? 'No call has reached this world yet.' : 'No call fits the filter.'}
        </p>
      )}
      <ol class="rows">
        {rows.map((row) => (
          <JournalLine key={row.id} row={row} />
        ))}
      </ol>
    </aside>
  )
}

function FilterFields(props: { filter: RowFilter; onChange: (filter: RowFilter) => void }) {
  const { filter, onChange } = props
  const change = (fields: Partial<RowFilter>) => {
    const next = { ...filter, ...fields }
    onChange(next.operation === '' && next.status === '' ? everyRow : next)
  }
  return (
    <div class="pair">
      <select
        aria-label="Calls of"
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

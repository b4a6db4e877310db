import { useState } from 'preact/hooks'
import type { ClockChange } from '../client/client.js'
import type { ClockState } from '../client/shapes.js'
import { Card } from '../parts/card.js'
import { formatMoment, formatSpan } from '../parts/moment.js'
import { useSession } from '../session/session.js'

const steps = { PT1M: '+1 min', PT1H: '+1 h', P1D: '+1 day' } as const

/** The time of the world, and how it moves. */
export function ClockCard(props: { clock: ClockState | undefined; nowMs: number | undefined }) {
  const { clock, nowMs } = props
  const { act, client } = useSession()
  const isFrozen = clock?.frozen ?? false
  const next = clock?.nextEvent
  const change = (done: string, to: ClockChange) => void act(done, () => client.changeClock(to))
  return (
    <Card
      title="Clock"
      aside={<span class={isFrozen ? 'mark warn' : 'mark'}>{isFrozen ? 'frozen' : 'running'}</span>}
    >
      <p class="figure">
        {nowMs === undefined ? '…' : formatMoment(nowMs)} <small>UTC</small>
      </p>
      <p class="hint">
        {next && nowMs !== undefined
          ? `Next: ${next.event} in ${formatSpan(Date.parse(next.at) - nowMs)}.`
          : 'Nothing changes with time alone.'}
      </p>
      <div class="actions">
        <button
          type="button"
          onClick={() =>
            change(isFrozen ? 'The clock runs.' : 'The clock stands still.', { frozen: !isFrozen })
          }
        >
          {isFrozen ? 'Run' : 'Freeze'}
        </button>
        {Object.entries(steps).map(([advance, label]) => (
          <button
            key={advance}
            type="button"
            onClick={() => change(`Time: ${label}.`, { advance })}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          disabled={!next}
          onClick={() => change(`Now: ${next?.event}.`, { advanceTo: 'next-event' })}
        >
          To the next event
        </button>
      </div>
      <SetClock onSet={(now) => change(`Set to ${formatMoment(now)} UTC.`, { now })} />
    </Card>
  )
}

function SetClock({ onSet }: { onSet: (now: string) => void }) {
  const [typed, setTyped] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    onSet(new Date(`${typed}Z`).toISOString())
  }
  return (
    <form class="field-row" onSubmit={submit}>
      <label for="set-clock">Set to (UTC)</label>
      <input
        id="set-clock"
        type="datetime-local"
        step="1"
        min="1000-01-01T00:00"
        max="8999-12-31T23:59"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        required
      />
      <button type="submit">Set</button>
    </form>
  )
}

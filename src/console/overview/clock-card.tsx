import { useState } from 'preact/hooks'
import type { ControlBody } from '../../control/operations.js'
import type { ClockState } from '../control-types.js'
import { Card } from '../parts/card.js'
import { formatDuration, formatTimestamp } from '../parts/time.js'
import { Time } from '../parts/time-label.js'
import { useSession } from '../session/session.js'

/** Labels by ISO 8601 duration. */
const steps = { PT1M: '+1 min', PT1H: '+1 h', P1D: '+1 day' } as const

type ChangeClock = (done: string, change: ControlBody<'changeClock'>) => void

/** The clock of the world and its controls. */
export function ClockCard(props: { clock: ClockState | undefined; nowMs: number | undefined }) {
  const { clock, nowMs } = props
  const { act, client } = useSession()
  const isFrozen = clock?.frozen ?? false
  const next = clock?.nextEvent
  const change: ChangeClock = (done, body) =>
    void act(done, () => client.send('changeClock', { body }))
  return (
    <Card
      title="Clock"
      aside={<span class={isFrozen ? 'mark warn' : 'mark'}>{isFrozen ? 'frozen' : 'running'}</span>}
    >
      <p class="figure">
        {nowMs === undefined ? '…' : <Time at={nowMs} />} <small>UTC</small>
      </p>
      <p class="hint">
        {next && nowMs !== undefined
          ? `Next event: ${next.event} in ${formatDuration(Date.parse(next.at) - nowMs)}.`
          : 'There is no next event.'}
      </p>
      <ClockButtons isFrozen={isFrozen} nextEvent={next?.event} onChange={change} />
      <SetClock onSet={(now) => change(`Set to ${formatTimestamp(now)} UTC.`, { now })} />
    </Card>
  )
}

function ClockButtons(props: {
  isFrozen: boolean
  nextEvent: string | undefined
  onChange: ChangeClock
}) {
  const { isFrozen, nextEvent, onChange } = props
  const done = isFrozen ? 'The clock is running.' : 'The clock is frozen.'
  return (
    <div class="actions">
      <button type="button" onClick={() => onChange(done, { frozen: !isFrozen })}>
        {isFrozen ? 'Run' : 'Freeze'}
      </button>
      {Object.entries(steps).map(([advance, label]) => (
        <button
          key={advance}
          type="button"
          onClick={() => onChange(`Advanced by ${label.slice(1)}.`, { advance })}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        disabled={nextEvent === undefined}
        onClick={() => onChange(`Advanced to: ${nextEvent}.`, { advanceTo: 'next-event' })}
      >
        To the next event
      </button>
    </div>
  )
}

function SetClock({ onSet }: { onSet: (now: string) => void }) {
  const [typed, setTyped] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    onSet(new Date(`${typed}Z`).toISOString())
  }
  return (
    <form class="field-row set-clock" onSubmit={submit}>
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

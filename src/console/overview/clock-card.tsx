import { useState } from 'preact/hooks'
import type { ControlBody } from '../../control/operations.js'
import { Card } from '../parts/card.js'
import { formatDuration, formatTimestamp, Time } from '../parts/time.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'

/** Labels by ISO 8601 duration. */
const steps = { PT1M: '+1 min', PT1H: '+1 h', P1D: '+1 day' } as const

/** The clock of the world and its controls. */
export function ClockCard() {
  const { act, client, overview } = useSession()
  const nowMs = useRunningClock()
  const { frozen = false, nextEvent: next } = overview?.clock ?? {}
  const button = (label: string, done: string, body: ControlBody<'changeClock'>) => (
    <button
      key={label}
      type="button"
      disabled={'advanceTo' in body && !next}
      onClick={() => void act(done, () => client.send('changeClock', { body }))}
    >
      {label}
    </button>
  )
  return (
    <Card
      title="Clock"
      aside={<span class={frozen ? 'mark warn' : 'mark'}>{frozen ? 'frozen' : 'running'}</span>}
    >
      <p class="figure">
        {nowMs === undefined ? '…' : <Time at={nowMs} />} <small>UTC</small>
      </p>
      <p class="hint">
        {next && nowMs !== undefined
          ? `Next event: ${next.event} in ${formatDuration(Date.parse(next.at) - nowMs)}.`
          : 'There is no next event.'}
      </p>
      <div class="actions">
        {frozen
          ? button('Run', 'The clock is running.', { frozen: false })
          : button('Freeze', 'The clock is frozen.', { frozen: true })}
        {Object.entries(steps).map(([advance, label]) =>
          button(label, `Advanced by ${label.slice(1)}.`, { advance }),
        )}
        {button('To the next event', `Advanced to: ${next?.event}.`, { advanceTo: 'next-event' })}
      </div>
      <SetClock />
    </Card>
  )
}

function SetClock() {
  const { act, client } = useSession()
  const [typed, setTyped] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    const now = new Date(`${typed}Z`).toISOString()
    const done = `Set to ${formatTimestamp(now)} UTC.`
    void act(done, () => client.send('changeClock', { body: { now } }))
  }
  return (
    <form class="actions" onSubmit={submit}>
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

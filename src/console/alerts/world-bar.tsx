import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import { formatTimestamp } from '../parts/time.js'
import { Time } from '../parts/time-label.js'
import { NewKeyDialog } from '../session/new-key-dialog.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { FailureAlert } from './failure-alert.js'
import { hasQuotaAlert, QuotaAlert, type RenderEntryLink } from './quota-alert.js'
import { RestartAlert } from './restart-alert.js'
import { useRestart } from './use-restart.js'

/**
 * Scenario, quota and clock of the world in one line. What the user has to know is beside it, so that
 * the content below stays where it is; in a narrow window, it is below the line.
 */
export function WorldBar({ renderLink }: { renderLink: RenderEntryLink }) {
  const { overview, failure } = useSession()
  const { restart, dismissRestart } = useRestart()
  // The dialog stays open when another sentence replaces the one with its button.
  const [isChoosing, setChoosing] = useState(false)
  const newKey = (
    <button type="button" onClick={() => setChoosing(true)}>
      Create a key…
    </button>
  )
  const isBlocked = failure !== undefined && failure.needs !== 'permission'
  const hasAlert = overview !== undefined && hasQuotaAlert(overview.quota)
  return (
    <section class="world-bar" aria-label="State of this world">
      <Glance overview={overview} />
      <div role="alert">{isBlocked && <FailureAlert failure={failure} newKey={newKey} />}</div>
      <div role="status">
        {!isBlocked && hasAlert && <QuotaAlert renderLink={renderLink} />}
        {!isBlocked && !hasAlert && restart && (
          <RestartAlert restart={restart} onDismiss={dismissRestart} newKey={newKey} />
        )}
      </div>
      {isChoosing && <NewKeyDialog onClose={() => setChoosing(false)} />}
    </section>
  )
}

function Glance({ overview }: { overview: Overview | undefined }) {
  const clock = overview?.clock
  const nowMs = useRunningClock(clock?.now, clock?.frozen ?? false)
  if (!overview) return <div class="glance" />
  const { scenario, quota } = overview
  return (
    <dl class="glance">
      <Fact name="Scenario" title={scenario} class="ellipsis">
        {scenario}
      </Fact>
      {quota.ban ? (
        <Fact name="Quota" title="Every request receives 429" class="bad">
          banned
        </Fact>
      ) : (
        <>
          <Window name="Minute" state={quota.minute} />
          <Window name="Day" state={quota.day} />
        </>
      )}
      <Fact
        name="Clock"
        title={`${nowMs === undefined ? '' : formatTimestamp(nowMs)} UTC, ${clock?.frozen ? 'frozen' : 'running'}`}
      >
        {nowMs !== undefined && <Time at={nowMs} now={nowMs} />}
        {clock?.frozen && ' frozen'}
      </Fact>
    </dl>
  )
}

function Window(props: { name: string; state: Overview['quota']['minute'] }) {
  const { name, state } = props
  const remaining = state.remaining.toLocaleString('en')
  const limit = state.limit.toLocaleString('en')
  return (
    <Fact
      name={name}
      title={`${remaining} of ${limit} requests are left in the ${name.toLowerCase()} window`}
      class={state.remaining === 0 ? 'bad' : ''}
    >
      {remaining}/{limit}
    </Fact>
  )
}

function Fact(props: { name: string; title: string; class?: string; children: ComponentChildren }) {
  const { name, title, children } = props
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class={props.class}>{children}</dd>
    </div>
  )
}

import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import { formatNumber } from '../parts/count.js'
import { formatMoment, formatTimestamp, Time } from '../parts/time.js'
import { defaultAccess } from '../session/access.js'
import type { PageClient } from '../session/client.js'
import { type Failure, toSentences } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { Alert, QuotaAlert, type RenderEntryLink } from './quota-alert.js'

/**
 * Scenario, quota and clock of the world in one line. What the user has to know is beside it, so that
 * the content below stays where it is; in a narrow window, it is below the line.
 */
export function WorldBar({ renderLink }: { renderLink: RenderEntryLink }) {
  const { overview, failure } = useSession()
  const [restarted, dismiss] = useRestart()
  const isBlocked = failure !== undefined && failure.needs !== 'permission'
  return (
    <section class="world-bar" aria-label="State of this world">
      {overview ? <Glance overview={overview} /> : <div class="glance" />}
      <div role="alert">{isBlocked && <FailureAlert failure={failure} />}</div>
      <div role="status">
        {!isBlocked && (
          <QuotaAlert renderLink={renderLink}>
            {restarted && <RestartAlert overview={restarted} onDismiss={dismiss} />}
          </QuotaAlert>
        )}
      </div>
    </section>
  )
}

/** Says why the world is not available: the key is invalid, or control requests fail. */
function FailureAlert({ failure }: { failure: Failure }) {
  const { access, setAccess } = useSession()
  if (failure.needs === 'key') {
    const { apiKey } = defaultAccess
    // The dialog of a new key lists the known scenarios.
    const reason = failure.message.replace(/^the API key \S+/, 'it').replace(/[;?] known: .*/, '')
    const useDefault = (
      <button type="button" onClick={() => setAccess({ ...access, apiKey })}>
        Use {apiKey}
      </button>
    )
    return (
      <Alert kind="bad" actions={useDefault}>
        <b>The API key is not valid:</b> {reason}. Change it above, create a new one, or use the
        default key.
      </Alert>
    )
  }
  return (
    <Alert kind="bad">
      <b>The state of this world is not available.</b> {toSentences(failure)} The page tries again
      by itself.
    </Alert>
  )
}

function Glance({ overview: { scenario, quota, clock } }: { overview: Overview }) {
  const nowMs = useRunningClock() ?? Date.parse(clock.now)
  const windows = [
    ['Minute', quota.minute],
    ['Day', quota.day],
  ] as const
  return (
    <dl class="glance">
      <Fact name="Scenario" title={scenario} class="ellipsis" value={scenario} />
      {quota.ban ? (
        <Fact name="Quota" title="Every request receives 429" class="bad" value="banned" />
      ) : (
        windows.map(([name, { remaining, limit }]) => (
          <Fact
            key={name}
            name={name}
            title={`${formatNumber(remaining)} of ${formatNumber(limit)} requests are left in the ${name.toLowerCase()} window`}
            class={remaining === 0 ? 'bad' : undefined}
            value={`${formatNumber(remaining)}/${formatNumber(limit)}`}
          />
        ))
      )}
      <Fact
        name="Clock"
        title={`${formatTimestamp(nowMs)} UTC, ${clock.frozen ? 'frozen' : 'running'}`}
        value={`${formatMoment(nowMs, nowMs)}${clock.frozen ? ' frozen' : ''}`}
      />
    </dl>
  )
}

function Fact(props: { name: string; title: string; class?: string | undefined; value: string }) {
  return (
    <div title={props.title}>
      <dt>{props.name}</dt>
      <dd class={props.class}>{props.value}</dd>
    </div>
  )
}

/** Returns the overview if the world was restarted, but not by this page, and a function that dismisses it. */
function useRestart(): readonly [restarted: Overview | undefined, dismiss: () => void] {
  const { client, overview } = useSession()
  const generation = overview?.generation
  /** The world when the page showed it first, or when the user dismissed the sentence. */
  const [known, setKnown] = useState<{ client: PageClient; generation?: number | undefined }>()
  const dismiss = () => setKnown({ client, generation })
  const isNew = known?.client !== client || known.generation === undefined
  useEffect(() => {
    if (isNew) dismiss()
  }, [isNew, client, generation])
  const isKnown = generation === known?.generation || generation === client.startedGeneration
  return [isNew || isKnown || client.isStarting ? undefined : overview, dismiss]
}

/**
 * Says that the world was restarted, but not by this page, and what the user can do.
 *
 * @param props.overview The overview after the restart.
 */
function RestartAlert(props: { overview: Overview; onDismiss: () => void }) {
  const { startedAt, scenario, world } = props.overview
  const dismiss = (
    <button type="button" onClick={props.onDismiss}>
      Dismiss
    </button>
  )
  return (
    <Alert kind="info" actions={dismiss}>
      <b>
        This world was restarted at <Time at={startedAt} now={startedAt} />, but not by this page.
      </b>{' '}
      Its data, clock, quota and journal started again from {scenario}.{' '}
      {world.label === ''
        ? 'Every client with a key like this shares the world; a new private key has its own.'
        : 'Another client did it, or the sandbox itself; a snapshot can bring back a state.'}
    </Alert>
  )
}

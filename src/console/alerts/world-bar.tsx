import type { Overview } from '../control-types.js'
import { formatNumber } from '../parts/count.js'
import { formatMoment, formatTimestamp } from '../parts/time.js'
import { defaultAccess } from '../session/access.js'
import { type Failure, toSentences } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { Alert, QuotaAlert, type RenderEntryLink } from './quota-alert.js'
import { RestartAlert, useRestart } from './restart-alert.js'

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

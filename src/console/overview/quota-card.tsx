import type { ControlBody } from '../../control/operations.js'
import { plans } from '../../service/plans.js'
import { describeBanRisk } from '../../world/quota/ban-risk.js'
import { QuotaButton } from '../alerts/quota-alert.js'
import type { QuotaState } from '../control-types.js'
import { Card } from '../parts/card.js'
import { formatDuration, Time } from '../parts/time.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'

type Change = ControlBody<'changeQuota'>

const fullWindow = { used: 0, rejected: 0 }
const full: Change = { minute: fullWindow, day: fullWindow, ban: null }

/** Quota states, each set by one button. */
const presets: readonly (readonly [label: string, done: string, quota: Change])[] = [
  ['One request left', 'One request remains in the minute window.', { minute: { remaining: 1 } }],
  ['Exhaust the minute', 'The minute window is exhausted.', { minute: { remaining: 0 } }],
  ['Exhaust the day', 'The day window is exhausted.', { day: { remaining: 0 } }],
  ['Ban for 5 min', 'The key is banned for 5 minutes.', { ban: { seconds: 300 } }],
  ['Reset the quota', 'Both windows are reset, and the key is not banned.', full],
]

/** The remaining quota of the key and its controls. */
export function QuotaCard() {
  const { overview } = useSession()
  const nowMs = useRunningClock() ?? 0
  const quota = overview?.quota
  const risk = quota && describeBanRisk(quota)
  return (
    <Card
      title="Quota of this key"
      aside={<span class="mark">{quota && plans[quota.plan].title}</span>}
    >
      <WindowMeter title="Minute" quota={quota} name="minute" nowMs={nowMs} />
      <WindowMeter title="Day" quota={quota} name="day" nowMs={nowMs} />
      {quota?.ban ? (
        <p class="bad">
          Banned until <Time at={quota.ban.until} now={nowMs} />.
        </p>
      ) : (
        <p class="hint">{quota ? `Not banned${risk ? `: ${risk}` : ''}.` : '…'}</p>
      )}
      <div class="actions">
        {presets.map(([label, done, quota]) => (
          <QuotaButton key={label} label={label} done={done} quota={quota} />
        ))}
      </div>
    </Card>
  )
}

type WindowState = QuotaState['minute']

/** Shown until the quota is loaded. */
const placeholder: WindowState = { limit: 1, remaining: 1, rejected: 0, used: 0, resetsAt: '' }

/** The remaining requests of one window of the key. */
function WindowMeter(props: {
  title: string
  quota: QuotaState | undefined
  name: 'minute' | 'day'
  nowMs: number
}) {
  const { title, nowMs, quota } = props
  const state = quota?.[props.name]
  const { limit, remaining, rejected } = state ?? placeholder
  // A banned key can use nothing of what is left.
  const left = quota?.ban
    ? 'none left: the key is banned'
    : `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')} left`
  return (
    <div class="card-head">
      <span>
        <b>{title}</b> {state && left}
      </span>
      <span class="hint">
        {state && describeReset(state, nowMs)}
        {rejected > 0 && `, ${rejected} rejected`}
      </span>
      <meter
        min={0}
        max={limit}
        low={limit * 0.1}
        high={limit * 0.3}
        optimum={limit}
        value={quota?.ban ? 0 : remaining}
        aria-label={`${title}: ${left}`}
      />
    </div>
  )
}

function describeReset({ used, rejected, resetsAt }: WindowState, nowMs: number): string {
  if (used === 0 && rejected === 0) return 'opens with the next request'
  return `resets in ${formatDuration(Date.parse(resetsAt) - nowMs)}`
}

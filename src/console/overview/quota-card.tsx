import type { ControlBody } from '../../control/operations.js'
import { plans } from '../../service/plans.js'
import { describeBanRisk } from '../../world/quota/ban-risk.js'
import type { QuotaState } from '../control-types.js'
import { Card } from '../parts/card.js'
import { Time } from '../parts/time-label.js'
import { useSession } from '../session/session.js'
import { WindowMeter } from './window-meter.js'

const fullWindow = { used: 0, rejected: 0 }

/** Quota states, each set by one button. */
const presets: readonly { label: string; done: string; quota: ControlBody<'changeQuota'> }[] = [
  {
    label: 'One request left',
    done: 'One request remains in the minute window.',
    quota: { minute: { remaining: 1 } },
  },
  {
    label: 'Exhaust the minute',
    done: 'The minute window is exhausted.',
    quota: { minute: { remaining: 0 } },
  },
  {
    label: 'Exhaust the day',
    done: 'The day window is exhausted.',
    quota: { day: { remaining: 0 } },
  },
  {
    label: 'Ban for 5 min',
    done: 'The key is banned for 5 minutes.',
    quota: { ban: { seconds: 300 } },
  },
  {
    label: 'Reset the quota',
    done: 'Both windows are reset, and the key is not banned.',
    quota: { minute: fullWindow, day: fullWindow, ban: null },
  },
]

/** The remaining quota of the key and its controls. */
export function QuotaCard(props: { quota: QuotaState | undefined; nowMs: number | undefined }) {
  const { quota, nowMs = 0 } = props
  const { act, client } = useSession()
  const isBanned = Boolean(quota?.ban)
  return (
    <Card
      title="Quota of this key"
      aside={<span class="mark">{quota && plans[quota.plan].title}</span>}
    >
      <WindowMeter name="Minute" state={quota?.minute} nowMs={nowMs} isBanned={isBanned} />
      <WindowMeter name="Day" state={quota?.day} nowMs={nowMs} isBanned={isBanned} />
      <p class={isBanned ? 'bad' : 'hint'}>
        {quota?.ban && (
          <>
            Banned until <Time at={quota.ban.until} now={nowMs} />.
          </>
        )}
        {quota && !quota.ban && describeRisk(quota)}
        {!quota && '…'}
      </p>
      <div class="actions">
        {presets.map(({ label, done, quota: body }) => (
          <button
            key={label}
            type="button"
            onClick={() => void act(done, () => client.send('changeQuota', { body }))}
          >
            {label}
          </button>
        ))}
      </div>
    </Card>
  )
}

function describeRisk(quota: QuotaState): string {
  const risk = describeBanRisk(quota)
  return risk === undefined ? 'Not banned.' : `Not banned: ${risk}.`
}

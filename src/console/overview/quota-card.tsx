import { plans } from '../../contract/plans.js'
import type { AccountSettings } from '../../world/quota/schema.js'
import type { QuotaState } from '../client/shapes.js'
import { Card } from '../parts/card.js'
import { formatMoment } from '../parts/moment.js'
import { useSession } from '../session/session.js'
import { WindowMeter } from './window-meter.js'

const refill = { used: 0, rejected: 0 }

/** States that a client should be ready for, each one press away. */
const presets: readonly { label: string; done: string; quota: AccountSettings }[] = [
  {
    label: 'One request left',
    done: 'One request is left in this minute.',
    quota: { minute: { remaining: 1 } },
  },
  { label: 'Minute spent', done: 'The minute is spent.', quota: { minute: { remaining: 0 } } },
  { label: 'Day spent', done: 'The day is spent.', quota: { day: { remaining: 0 } } },
  {
    label: 'Ban 5 min',
    done: 'The key is banned for 5 minutes.',
    quota: { ban: { seconds: 300 } },
  },
  { label: 'Lift the ban', done: 'The key is not banned.', quota: { ban: null } },
  {
    label: 'Refill',
    done: 'Both windows are full again.',
    quota: { minute: refill, day: refill, ban: null },
  },
]

/** What is left to the key, and how to bring about each state of it. */
export function QuotaCard(props: { quota: QuotaState | undefined; nowMs: number | undefined }) {
  const { quota, nowMs = 0 } = props
  const { act, client } = useSession()
  return (
    <Card
      title="Quota of this key"
      aside={<span class="mark">{quota && plans[quota.plan].title}</span>}
    >
      <WindowMeter name="Minute" state={quota?.minute} nowMs={nowMs} />
      <WindowMeter name="Day" state={quota?.day} nowMs={nowMs} />
      <p class={quota?.ban ? 'bad' : 'hint'}>
        {quota?.ban ? `Banned until ${formatMoment(quota.ban.until)} UTC.` : 'Not banned.'}
      </p>
      <div class="actions">
        {presets.map(({ label, done, quota: to }) => (
          <button
            key={label}
            type="button"
            onClick={() => void act(done, () => client.changeQuota(to))}
          >
            {label}
          </button>
        ))}
      </div>
    </Card>
  )
}

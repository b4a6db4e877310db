import { formatDuration } from '../../console/parts/time.js'
import { useSession } from '../../console/session/session.js'
import { useRunningClock } from '../../console/session/use-running-clock.js'
import { describeBanRisk } from '../../world/quota/ban-risk.js'

/** Shows that the key is banned, or that it soon will be, and offers to change that. */
export function BanWarning() {
  const { overview, act, client } = useSession()
  const nowMs = useRunningClock(overview?.clock.now, overview?.clock.frozen ?? false) ?? 0
  const quota = overview?.quota
  const risk = quota && describeBanRisk(quota)
  const lift = () =>
    act('The key is not banned.', () => client.send('changeQuota', { body: { ban: null } }))
  const forget = () =>
    act('The rejected requests are not counted any more.', () =>
      client.send('changeQuota', { body: { minute: { rejected: 0 }, day: { rejected: 0 } } }),
    )
  return (
    <div class="ban" role="status">
      {quota?.ban && (
        <p class="warning bad">
          <span class="grow">
            This key is banned for another {formatDuration(Date.parse(quota.ban.until) - nowMs)}:
            every request receives 429.
          </span>
          <button type="button" onClick={() => void lift()}>
            Lift the ban
          </button>
        </p>
      )}
      {risk && !quota?.ban && (
        <p class="warning">
          <span class="grow">{risk}</span>
          <button type="button" onClick={() => void forget()}>
            Reset the count
          </button>
        </p>
      )}
    </div>
  )
}

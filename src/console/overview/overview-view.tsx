import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../session/session.js'
import { AddressCard } from './address-card.js'
import { ClockCard } from './clock-card.js'
import { DeprecationCard } from './deprecation-card.js'
import { FaultCard } from './fault-card.js'
import { FirstRequest } from './first-request.js'
import { QuotaCard } from './quota-card.js'
import { ScenarioCard } from './scenario-card.js'

/** The state of the world with its controls. */
export function OverviewView() {
  const { overview } = useSession()
  const nowMs = useRunningClock(overview?.clock.now, overview?.clock.frozen ?? false)
  return (
    <>
      <FirstRequest />
      <div class="columns" aria-busy={!overview}>
        <div>
          <ScenarioCard overview={overview} />
          <ClockCard clock={overview?.clock} nowMs={nowMs} />
          <DeprecationCard dates={overview?.deprecation} nowMs={nowMs} />
        </div>
        <div>
          <QuotaCard quota={overview?.quota} nowMs={nowMs} />
          <FaultCard />
          <AddressCard />
        </div>
      </div>
    </>
  )
}

/**
 * Returns the time of the world in milliseconds since the epoch. Between two responses, a running
 * clock advances once a second.
 */
function useRunningClock(now: string | undefined, isFrozen: boolean): number | undefined {
  const [seconds, setSeconds] = useState(0)
  // `now` is a dependency because each response restarts the count.
  useEffect(() => {
    setSeconds(0)
    if (isFrozen) return
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [now, isFrozen])
  return now === undefined ? undefined : Date.parse(now) + seconds * 1_000
}

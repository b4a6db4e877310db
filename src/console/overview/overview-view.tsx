import { useSession } from '../session/session.js'
import { AddressCard } from './address-card.js'
import { ClockCard } from './clock-card.js'
import { DeprecationCard } from './deprecation-card.js'
import { FaultCard } from './fault-card.js'
import { FirstRequest } from './first-request.js'
import { QuotaCard } from './quota-card.js'
import { ScenarioCard } from './scenario-card.js'
import { useTicking } from './use-ticking.js'

/** The world at a glance, with all that steers it. */
export function OverviewView() {
  const { overview } = useSession()
  const nowMs = useTicking(overview?.clock.now, overview?.clock.frozen ?? false)
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

import { FaultSummaryCard } from '../faults/fault-summary.js'
import { ScenarioSummaryCard } from '../scenarios/scenario-summary.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { AddressCard } from './address-card.js'
import { Capabilities } from './capabilities.js'
import { ClockCard } from './clock-card.js'
import { DeprecationCard } from './deprecation-card.js'
import { FirstRequest } from './first-request.js'
import { QuotaCard } from './quota-card.js'

/** The state of the world with its controls. */
export function OverviewView() {
  const { overview } = useSession()
  const nowMs = useRunningClock(overview?.clock.now, overview?.clock.frozen ?? false)
  return (
    <>
      <FirstRequest />
      <Capabilities />
      <div class="columns" aria-busy={!overview}>
        <div>
          <QuotaCard quota={overview?.quota} nowMs={nowMs} />
          <ScenarioSummaryCard overview={overview} />
          <FaultSummaryCard />
        </div>
        <div>
          <ClockCard clock={overview?.clock} nowMs={nowMs} />
          <DeprecationCard dates={overview?.deprecation} nowMs={nowMs} />
          <AddressCard />
        </div>
      </div>
    </>
  )
}

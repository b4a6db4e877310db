import { useDocuments } from '../documents/documents.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { AddressCard } from './address-card.js'
import { Capabilities } from './capabilities.js'
import { ClockCard } from './clock-card.js'
import { DeprecationCard } from './deprecation-card.js'
import { FaultCard, useFaults } from './fault-card.js'
import { NewFault } from './fault-form.js'
import { FirstRequest } from './first-request.js'
import { QuotaCard } from './quota-card.js'
import { ScenarioCard } from './scenario-card.js'

/** The state of the world with its controls. */
export function OverviewView() {
  const { overview } = useSession()
  const { control } = useDocuments()
  const faults = useFaults()
  const nowMs = useRunningClock(overview?.clock.now, overview?.clock.frozen ?? false)
  return (
    <>
      <FirstRequest />
      <Capabilities />
      <div class="columns" aria-busy={!overview}>
        <div>
          <QuotaCard quota={overview?.quota} nowMs={nowMs} />
          <ScenarioCard overview={overview} />
          <DeprecationCard dates={overview?.deprecation} nowMs={nowMs} />
        </div>
        <div>
          <ClockCard clock={overview?.clock} nowMs={nowMs} />
          <FaultCard faults={faults} kinds={control.faultKinds}>
            <NewFault kinds={control.faultKinds} />
          </FaultCard>
          <AddressCard />
        </div>
      </div>
    </>
  )
}

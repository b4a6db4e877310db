import { FaultCard, useFaults } from '../../faults/fault-card.js'
import { ClockCard } from '../../overview/clock-card.js'
import { QuotaCard } from '../../overview/quota-card.js'
import { useSession } from '../../session/session.js'
import { useRunningClock } from '../../session/use-running-clock.js'
import { faultTitles, QuickFaults } from './quick-faults.js'
import { ScenarioList } from './scenario-list.js'

/** The controls of the world. */
export function ControlView() {
  const { overview } = useSession()
  const nowMs = useRunningClock(overview?.clock.now, overview?.clock.frozen ?? false)
  const faults = useFaults()
  return (
    <>
      <ScenarioList running={overview?.scenario} />
      <FaultCard faults={faults} kinds={faultTitles}>
        <QuickFaults faults={faults.value} />
      </FaultCard>
      <QuotaCard quota={overview?.quota} nowMs={nowMs} />
      <ClockCard clock={overview?.clock} nowMs={nowMs} />
    </>
  )
}

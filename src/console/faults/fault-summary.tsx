import { useDocuments } from '../documents/documents.js'
import { FaultCard, useFaults } from './fault-card.js'
import { FaultPresets } from './presets.js'

/** The faults of the world, for the overview. */
export function FaultSummaryCard() {
  const { control } = useDocuments()
  const faults = useFaults()
  return (
    <FaultCard faults={faults} kinds={control.faultKinds}>
      <FaultPresets faults={faults.value} isCompact />
      <p>
        <a href="#faults">All kinds of fault</a>
      </p>
    </FaultCard>
  )
}

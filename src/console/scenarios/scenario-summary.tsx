import type { Overview } from '../../control/client/console/control-types.js'
import { Card } from '../parts/card.js'
import { UndoBar } from './undo-bar.js'
import { useStart } from './use-start.js'

/** The active scenario, for the overview. */
export function ScenarioSummaryCard({ overview }: { overview: Overview | undefined }) {
  const start = useStart()
  return (
    <Card title="Scenario" aside={<strong class="mark">{overview?.scenario ?? '…'}</strong>}>
      <div class="actions">
        <button type="button" onClick={() => void start.reset()}>
          Reset this world
        </button>
        <a class="button" href="#scenarios">
          Start another scenario
        </a>
      </div>
      <UndoBar start={start} />
    </Card>
  )
}

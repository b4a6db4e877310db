import { useState } from 'preact/hooks'
import type { Overview } from '../client/shapes.js'
import { Card } from '../parts/card.js'
import { useSession } from '../session/session.js'
import { useScenarios } from '../session/use-scenarios.js'

/** Which scenario runs; one or several others to start; the way back to the start. */
export function ScenarioCard({ overview }: { overview: Overview | undefined }) {
  const { act, client } = useSession()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const running = overview?.scenario ?? '…'

  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  const start = async () => {
    const names = chosen.join(' + ')
    if (await act(`Started ${names}.`, () => client.putScenarios(chosen))) setChosen([])
  }
  const reset = () => act(`Back at the start of ${running}.`, () => client.reset())
  return (
    <Card title="Scenario" aside={<strong class="mark">{running}</strong>}>
      <ScenarioList chosen={chosen} running={running} onToggle={toggle} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={chosen.length === 0}
          onClick={() => void start()}
        >
          {chosen.length === 0 ? 'Start…' : `Start ${chosen.join(' + ')}`}
        </button>
        <button type="button" onClick={() => void reset()}>
          Reset this world
        </button>
      </div>
      <p class="hint">
        Choose one, or several to merge them in this order. Data, clock, quota and journal begin
        anew.
      </p>
    </Card>
  )
}

function ScenarioList(props: {
  chosen: readonly string[]
  running: string
  onToggle: (name: string) => void
}) {
  const scenarios = useScenarios()
  return (
    <fieldset class="choices">
      <legend class="unseen">Scenarios to start</legend>
      {scenarios.map(({ name, description, source }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={props.chosen.includes(name)}
            onChange={() => props.onToggle(name)}
          />
          <span>
            <b>{name}</b>
            {name === props.running && <span class="mark">running</span>}
            {source !== 'built-in' && <span class="hint"> {source}</span>}
            <span class="hint block">{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

import { useState } from 'preact/hooks'
import type { Overview } from '../client/control-types.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import { useScenarios } from '../session/use-loaded.js'

/** Starts the world from other scenarios, or resets it. */
export function ScenarioCard({ overview }: { overview: Overview | undefined }) {
  const { act, client } = useSession()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const running = overview?.scenario ?? '…'
  const names = chosen.join(' + ')

  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  const start = async () => {
    const send = () => client.send('putScenario', { body: chosen })
    if (await act(`Started ${names}.`, send)) setChosen([])
  }
  const reset = () => act(`Reset to the start of ${running}.`, () => client.send('resetWorld'))
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
          {chosen.length === 0 ? 'Start…' : `Start ${names}`}
        </button>
        <button type="button" onClick={() => void reset()}>
          Reset this world
        </button>
      </div>
      <p class="hint">
        Several scenarios are merged in the order in which you select them. Both buttons discard the
        data, clock, quota and journal of this world.
      </p>
    </Card>
  )
}

function ScenarioList(props: {
  chosen: readonly string[]
  running: string
  onToggle: (name: string) => void
}) {
  const { value: scenarios = [], failure } = useScenarios()
  return (
    <fieldset class="choices">
      <legend class="unseen">Scenarios to start</legend>
      {failure && <LoadFailure what="The scenarios" failure={failure} />}
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

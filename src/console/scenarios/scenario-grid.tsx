import { useState } from 'preact/hooks'
import type { ScenarioSummary } from '../control-types.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import type { Loaded } from '../session/use-loaded.js'
import { type Start, UndoBar } from './start.js'

/** All scenarios that a key can name. Each starts with one click; several can be merged. */
export function ScenarioGrid(props: {
  scenarios: Loaded<readonly ScenarioSummary[]>
  start: Start
}) {
  const { start } = props
  const { overview } = useSession()
  const { value: scenarios, failure } = props.scenarios
  /** Names in the order of their selection; undefined while one is started at a time. */
  const [chosen, setChosen] = useState<readonly string[]>()
  const running = overview?.scenario ?? '…'
  return (
    <Card
      title="Scenarios"
      aside={<strong class="mark">{running}</strong>}
      isBusy={!scenarios && !failure}
    >
      <GridActions
        chosen={chosen}
        start={start}
        onCombine={() => setChosen(chosen ? undefined : [])}
      />
      <UndoBar start={start} />
      {failure && <LoadFailure what="The scenarios" failure={failure} />}
      <ul class="scenario-grid">
        {scenarios?.map((scenario) => (
          <li key={scenario.name}>
            <ScenarioText scenario={scenario} running={running} />
            {chosen ? (
              <ChoiceBox name={scenario.name} chosen={chosen} onChange={setChosen} />
            ) : (
              <button
                type="button"
                aria-label={`Start ${scenario.name}`}
                onClick={() => void start.startNames([scenario.name])}
              >
                Start
              </button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function GridActions(props: {
  chosen: readonly string[] | undefined
  start: Start
  onCombine: () => void
}) {
  const { chosen, start, onCombine } = props
  const names = (chosen ?? []).join(' + ')
  const startChosen = async () => {
    if (chosen && (await start.startNames(chosen))) onCombine()
  }
  return (
    <>
      <p class="hint">
        {chosen
          ? 'Select scenarios in the order in which they are merged: the values of a later one win.'
          : 'A start replaces the data, clock, quota, faults and journal of this world.'}
      </p>
      <div class="actions">
        {chosen && (
          <button
            type="button"
            class="primary"
            disabled={chosen.length === 0}
            onClick={() => void startChosen()}
          >
            {chosen.length === 0 ? 'Start…' : `Start ${names}`}
          </button>
        )}
        <button type="button" aria-pressed={chosen !== undefined} onClick={onCombine}>
          Combine…
        </button>
        <button type="button" onClick={() => void start.reset()}>
          Reset this world
        </button>
      </div>
    </>
  )
}

function ScenarioText(props: { scenario: ScenarioSummary; running: string }) {
  const { name, description, source } = props.scenario
  return (
    <div>
      <h3>
        <span>{name}</span>
        {props.running.split('+').includes(name) && <span class="mark live">running</span>}
        {source !== 'built-in' && <span class="mark">{source}</span>}
      </h3>
      <p class="hint">{description}</p>
    </div>
  )
}

function ChoiceBox(props: {
  name: string
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { name, chosen, onChange } = props
  const place = chosen.indexOf(name) + 1
  const toggle = () =>
    onChange(place > 0 ? chosen.filter((other) => other !== name) : [...chosen, name])
  return (
    <label class="hint">
      <input type="checkbox" aria-label={`Combine ${name}`} checked={place > 0} onChange={toggle} />
      {place > 0 ? `No. ${place}` : 'Select'}
    </label>
  )
}

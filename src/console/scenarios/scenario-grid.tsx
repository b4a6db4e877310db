import { useState } from 'preact/hooks'
import type { ScenarioSummary } from '../control-types.js'
import { Card } from '../parts/card.js'
import { LoadFailure } from '../parts/failure-details.js'
import { useSession } from '../session/session.js'
import type { useScenarios } from '../session/use-loaded.js'
import { type Start, UndoBar } from './start.js'

/** All scenarios that a key can name. Each starts with one click; several can be merged. */
export function ScenarioGrid(props: { scenarios: ReturnType<typeof useScenarios>; start: Start }) {
  const { start } = props
  const { client, overview } = useSession()
  const { value: scenarios, failure } = props.scenarios
  /** Names in the order of their selection; undefined while one is started at a time. */
  const [chosen, setChosen] = useState<readonly string[]>()
  const running = overview?.scenario ?? '…'
  const startNames = (names: readonly string[]) =>
    start.start(`Started ${names.join(' + ')}.`, () => client.send('putScenario', { body: names }))
  return (
    <Card
      title="Scenarios"
      aside={<strong class="mark">{running}</strong>}
      isBusy={!scenarios && !failure}
    >
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
            onClick={async () => (await startNames(chosen)) && setChosen(undefined)}
          >
            {chosen.length === 0 ? 'Start…' : `Start ${chosen.join(' + ')}`}
          </button>
        )}
        <button
          type="button"
          aria-pressed={chosen !== undefined}
          onClick={() => setChosen(chosen ? undefined : [])}
        >
          Combine…
        </button>
        <button type="button" onClick={() => void start.reset()}>
          Reset this world
        </button>
      </div>
      <UndoBar start={start} />
      {failure && <LoadFailure what="The scenarios" failure={failure} />}
      <ul class="scenario-grid">
        {scenarios?.map((scenario) => (
          <ScenarioItem
            key={scenario.name}
            scenario={scenario}
            running={running}
            chosen={chosen}
            onChoose={setChosen}
            onStart={() => void startNames([scenario.name])}
          />
        ))}
      </ul>
    </Card>
  )
}

function ScenarioItem(props: {
  scenario: ScenarioSummary
  running: string
  chosen: readonly string[] | undefined
  onChoose: (chosen: readonly string[]) => void
  onStart: () => void
}) {
  const { scenario, running, chosen, onChoose, onStart } = props
  const { name, description, source } = scenario
  const at = chosen?.indexOf(name) ?? -1
  const others = chosen?.filter((other) => other !== name) ?? []
  return (
    <li>
      <div>
        <h3>
          <span>{name}</span>
          {running.split('+').includes(name) && <span class="mark live">running</span>}
          {source !== 'built-in' && <span class="mark">{source}</span>}
        </h3>
        <p class="hint">{description}</p>
      </div>
      {chosen ? (
        <label class="hint">
          <input
            type="checkbox"
            aria-label={`Combine ${name}`}
            checked={at >= 0}
            onChange={() => onChoose(at >= 0 ? others : [...others, name])}
          />
          {at >= 0 ? `No. ${at + 1}` : 'Select'}
        </label>
      ) : (
        <button type="button" aria-label={`Start ${name}`} onClick={onStart}>
          Start
        </button>
      )}
    </li>
  )
}

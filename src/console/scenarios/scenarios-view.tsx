import { useState } from 'preact/hooks'
import type { ScenarioSummary } from '../control-types.js'
import { CopyAction } from '../copies/copy-test.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { LoadFailure } from '../parts/load-failure.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { useScenarios } from '../session/use-loaded.js'
import type { ScenarioDocument } from './document.js'
import { EditCard } from './edit-card.js'
import { type Start, UndoBar } from './start.js'

/** Starts the world from a scenario, and shows its state as one. */
export function ScenariosView(props: { start: Start; document: ScenarioDocument }) {
  const { start, document } = props
  const scenarios = useScenarios()
  return (
    <>
      <ScenarioGrid scenarios={scenarios} start={start} />
      {/* Only below the whole list, so that it does not move. */}
      {(scenarios.value ?? scenarios.failure) && (
        <>
          <EditCard start={start} document={document} />
          <SaveCard />
        </>
      )}
    </>
  )
}

function SaveCard() {
  const { act, client } = useSession()
  const [name, setName] = useState('snapshot')
  const read = async () => {
    const { text } = await client.request('getSnapshot', { query: { name } })
    return `${indentJson(text)}\n`
  }
  const save = (event: Event) => {
    event.preventDefault()
    void act(`Saved ${name}.json.`, async () => saveFile(`${name}.json`, [await read()]))
  }
  return (
    <Card title="Save a snapshot">
      <p>
        A snapshot is a scenario file with the state of this world: data, clock, seed, quotas, bans,
        deprecation dates, faults and rules. A world that starts from it sends the same responses,
        for example in a test.
      </p>
      <form class="actions" onSubmit={save}>
        <label for="snapshot-name">Name</label>
        <input
          id="snapshot-name"
          class="code"
          value={name}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="kebab-case, such as exhausted-quota"
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Save as {name}.json
        </button>
        <CopyAction label="Copy as JSON" what="the snapshot as JSON" create={read} />
      </form>
    </Card>
  )
}

/** All scenarios that a key can name. Each starts with one click; several can be merged. */
function ScenarioGrid(props: { scenarios: ReturnType<typeof useScenarios>; start: Start }) {
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
